import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import type { Config } from "./config.ts";
import { connect } from "./db/connect.ts";
import { mount } from "./http/mount.ts";
import { makeServer } from "./http/server.ts";
import { TokenUse } from "./http/token-use.ts";
import { JobRunner } from "./jobs/runner.ts";
import { startFileRemoval } from "./operation/file-removal.ts";
import { mountHealth } from "./operation/health.ts";
import { mountMetrics } from "./operation/metrics.ts";
import { startPurge } from "./operation/purge.ts";
import { mountReference } from "./operation/reference.ts";
import { mountRequestLog } from "./operation/request-log.ts";
import { loadSecret } from "./operation/secret.ts";
import { startSweep } from "./operation/sweep.ts";
import { openBlobStore } from "./ports/blobs/open-blob-store.ts";
import { guards } from "./resources/guards.ts";
import { routes } from "./resources/index.ts";
import { jobKinds } from "./resources/job-kinds.ts";
import { mountSharePages } from "./resources/shares/mount-pages.ts";
import type { Services } from "./services.ts";
import { views } from "./views/index.ts";

export interface App {
  readonly server: FastifyInstance;
  readonly services: Services;
  /** Stops accepting, finishes what runs, closes the store. */
  close(): Promise<void>;
}

/** Builds the whole service on one store; it does not listen yet. */
export async function makeApp(config: Config): Promise<App> {
  const log = pino({ level: config.logLevel, base: undefined, timestamp: pino.stdTimeFunctions.isoTime });
  const database = await connect(config, log);
  const services: Services = {
    config,
    database,
    log,
    views,
    guards,
    blobs: openBlobStore({ blobUrl: config.blobUrl, dataDir: config.dataDir, env: process.env }),
    secret: await loadSecret(database, config),
    wakeJobs: () => runner.wake(),
  };
  const runner = new JobRunner(services, jobKinds);
  const tokenUse = new TokenUse(database, log);
  const stopSweep = startSweep(services);
  const stopPurge = startPurge(services);
  const stopFileRemoval = startFileRemoval(services);
  runner.start();

  const server = makeServer(config, log);
  mountRequestLog(server, log);
  mountMetrics(server);
  mountHealth(server, database);
  const description = await mountReference(server, routes);
  mount(server, routes, services, tokenUse, description);
  mountSharePages(server, services);

  const close = async () => {
    stopSweep();
    await server.close();
    await runner.close();
    await stopPurge();
    await stopFileRemoval();
    await tokenUse.flush();
    await database.close();
  };
  return { server, services, close };
}
