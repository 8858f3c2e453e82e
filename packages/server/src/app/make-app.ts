import type { FastifyInstance } from "fastify";
import type { ViewWork } from "../bodies/view.ts";
import type { Config } from "../config.ts";
import { startDigests } from "../domain/discussion/notifications/digests.ts";
import { startWatchNews } from "../domain/discussion/notifications/watch-news.ts";
import { startWebhooks } from "../domain/exchange/webhooks/start-webhooks.ts";
import { jobKinds } from "../domain/job-kinds.ts";
import { startLive } from "../domain/live/start-live.ts";
import { startRetention } from "../events/retention.ts";
import { TokenUse } from "../http/callers/token-use.ts";
import { endSilentConnections } from "../http/limits/silent-connections.ts";
import { limitUnreadAnswers } from "../http/limits/unread-answers.ts";
import { mount } from "../http/mount.ts";
import type { Route } from "../http/route.ts";
import { makeServer } from "../http/server.ts";
import { JobRunner } from "../jobs/runner.ts";
import { startBackups } from "../operation/backups.ts";
import { startCacheBudget } from "../operation/cache-budget.ts";
import { startFileRemoval } from "../operation/file-removal.ts";
import { mountFinishedRequests } from "../operation/finished-requests.ts";
import { mountHealth } from "../operation/health.ts";
import { mountLlms } from "../operation/llms.ts";
import { LogOutput, makeLog } from "../operation/log.ts";
import { mountMetrics } from "../operation/metrics.ts";
import { startPurge } from "../operation/purge.ts";
import { mountReference } from "../operation/reference.ts";
import { requestLog } from "../operation/request-log.ts";
import { startSweep } from "../operation/sweep.ts";
import type { Worker } from "../operation/worker.ts";
import { routes as apiRoutes } from "../routes.ts";
import type { Services } from "../services.ts";
import { mountMcp } from "../surfaces/mcp/mount-mcp.ts";
import { mountOAuth } from "../surfaces/oauth/mount-oauth.ts";
import { mountLiveSocket } from "../surfaces/pages/document/live-socket.ts";
import { mountPages } from "../surfaces/pages/mount-pages.ts";
import { mountSharePages } from "../surfaces/pages/shares/mount-pages.ts";
import { views } from "../views/index.ts";
import { closeServices, makeServices } from "./make-services.ts";

export interface App {
  readonly server: FastifyInstance;
  readonly services: Services;
  /** Stops accepting, finishes what runs, closes the store. */
  close(): Promise<void>;
}

/** Work beside the requests; each starter returns a function to stop it. */
const background: readonly ((services: Services) => () => void | Promise<void>)[] = [
  startCacheBudget,
  startSweep,
  startPurge,
  startFileRemoval,
  startRetention,
  startWebhooks,
  startLive,
  startDigests,
  startWatchNews,
  startBackups,
];

/** Builds the whole service on one store, without listening. */
export async function makeApp(config: Config, routes: readonly Route[] = apiRoutes, worker?: Worker): Promise<App> {
  const output = new LogOutput(worker !== undefined);
  const log = makeLog(config.logLevel, output, worker);
  const viewWork = new Map<string, ViewWork>();
  const services = await makeServices(config, log, {
    jobs: () => runner.wake(),
    view: (name) => viewWork.get(name)?.wake?.(),
  });
  const { database } = services;
  const runner = new JobRunner(services, [...jobKinds, ...views.flatMap(({ jobs = [] }) => jobs)]);
  const tokenUse = new TokenUse(database, log);
  const stops = background.map((start) => start(services));
  for (const view of views) if (view.start) viewWork.set(view.name, view.start(services));
  runner.start();

  const server = makeServer(config, log);
  endSilentConnections(server);
  limitUnreadAnswers(server);
  mountFinishedRequests(server, [requestLog(log, output), mountMetrics(server, services, worker)]);
  mountHealth(server, services);
  const description = mountReference(server, routes, config);
  mount(server, routes, services, tokenUse, description);
  mountLlms(server, config);
  await mountOAuth(server, services);
  await mountMcp(server, services);
  await mountPages(server, services);
  mountSharePages(server, services);
  mountLiveSocket(server, services);
  server.addHook("preClose", () => services.streams.close());

  const close = async () => {
    await server.close();
    await runner.close();
    await Promise.all([...stops.map((stop) => stop()), ...viewWork.values().map((work) => work.stop())]);
    await tokenUse.flush();
    await closeServices(services);
  };
  return { server, services, close };
}
