import { hash, timingSafeEqual } from "node:crypto";
import Fastify, { type FastifyInstance } from "fastify";
import { collectDefaultMetrics, Registry } from "prom-client";
import { apiError } from "../errors.ts";
import { writeError } from "../http/answer.ts";
import { toApiError } from "../http/server.ts";
import { send } from "../http/wire/send.ts";
import type { Services } from "../services.ts";
import type { ListenAddress } from "../settings/kinds.ts";
import { cacheMetrics } from "./cache-metrics.ts";
import type { OnFinished } from "./finished-requests.ts";
import { liveMetrics } from "./live-metrics.ts";
import type { Worker } from "./worker.ts";

const BUCKETS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10];

/** What an operation has done so far: answers by status, and how long they took in seconds. */
interface Figures {
  readonly statuses: Map<number, number>;
  /** How many answers fell into each bucket and no smaller one. */
  readonly buckets: number[];
  count: number;
  sum: number;
}

const noFigures = (): Figures => ({ statuses: new Map(), buckets: BUCKETS.map(() => 0), count: 0, sum: 0 });

function note(figures: Figures, status: number, seconds: number): void {
  figures.statuses.set(status, (figures.statuses.get(status) ?? 0) + 1);
  figures.count++;
  figures.sum += seconds;
  const bucket = BUCKETS.findIndex((limit) => seconds <= limit);
  if (bucket !== -1) figures.buckets[bucket] = (figures.buckets[bucket] ?? 0) + 1;
}

/**
 * Prometheus figures: requests by operation, caches, and what Node knows of itself. Of several workers each answers for all,
 * with a label that tells them apart: a sum over them would fall when one is replaced. What comes back counts a request.
 */
export function mountMetrics(server: FastifyInstance, { config, live }: Services, worker?: Worker): OnFinished {
  const operations = new Map<string, Figures>();
  let registry: Registry | undefined;
  const own = async (): Promise<string> => {
    if (!registry) {
      registry = new Registry();
      if (worker) registry.setDefaultLabels({ worker: String(worker.number) });
      collectDefaultMetrics({ register: registry });
    }
    const labels = worker ? `worker="${worker.number}",` : "";
    const parts = [requestMetrics(operations, labels), cacheMetrics(labels), await liveMetrics(live, labels)];
    return [await registry.metrics(), ...parts].join("\n");
  };
  const all = worker ? worker.shareMetrics(own) : own;
  const place = config.metricsAddress ? besides(server, config.metricsAddress) : server;
  place.get("/metrics", async (request, reply) => {
    if (config.metricsToken !== undefined) checkToken(config.metricsToken, request.headers.authorization);
    return reply.type(Registry.PROMETHEUS_CONTENT_TYPE).send(await all());
  });
  return ({ operation = "other", status, milliseconds }) => {
    const figures = operations.get(operation) ?? noFigures();
    if (figures.count === 0) operations.set(operation, figures);
    note(figures, status, milliseconds / 1000);
  };
}

/** A server at an address of its own that begins and ends with the other; a start fails where it cannot listen. */
function besides(server: FastifyInstance, address: ListenAddress): FastifyInstance {
  const beside = Fastify({ logger: false, forceCloseConnections: true });
  beside.setErrorHandler((error, request, reply) => send(reply, writeError(toApiError(error), request.id)));
  server.addHook("onReady", async () => {
    await beside.listen(address);
  });
  server.addHook("onClose", () => beside.close());
  return beside;
}

/** Hashes are compared: they are of one length, so the time tells nothing of the token. */
function checkToken(token: string, authorization: string | undefined): void {
  const [, given] = /^Bearer +(\S+)$/i.exec(authorization ?? "") ?? [];
  if (given === undefined) throw apiError("token_missing");
  const digest = (text: string) => hash("sha256", text, "buffer");
  if (!timingSafeEqual(digest(given), digest(token))) throw apiError("token_invalid");
}

/** The request figures in Prometheus' text form; every sample begins with the labels given. */
function requestMetrics(operations: ReadonlyMap<string, Figures>, labels: string): string {
  const all = [...operations];
  const requests = all.flatMap(([operation, { statuses }]) =>
    [...statuses].map(
      ([status, count]) => `svc_http_requests_total{${labels}operation="${operation}",status="${status}"} ${count}`,
    ),
  );
  return [
    "# HELP svc_http_requests_total Requests answered.",
    "# TYPE svc_http_requests_total counter",
    ...requests,
    "# HELP svc_http_request_duration_seconds Time from the request's arrival to its answer.",
    "# TYPE svc_http_request_duration_seconds histogram",
    ...all.flatMap(([operation, figures]) => histogram(`${labels}operation="${operation}"`, figures)),
    "",
  ].join("\n");
}

function histogram(labels: string, { buckets, count, sum }: Figures): string[] {
  const name = "svc_http_request_duration_seconds";
  let below = 0;
  const lines = BUCKETS.map((limit, index) => {
    below += buckets[index] ?? 0;
    return `${name}_bucket{${labels},le="${limit}"} ${below}`;
  });
  return [
    ...lines,
    `${name}_bucket{${labels},le="+Inf"} ${count}`,
    `${name}_sum{${labels}} ${sum}`,
    `${name}_count{${labels}} ${count}`,
  ];
}
