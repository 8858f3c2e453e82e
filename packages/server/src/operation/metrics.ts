import { hash, timingSafeEqual } from "node:crypto";
import Fastify, { type FastifyInstance } from "fastify";
import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";
import { apiError } from "../errors.ts";
import { writeError } from "../http/answer.ts";
import { toApiError } from "../http/server.ts";
import { send } from "../http/wire/send.ts";
import type { Services } from "../services.ts";
import type { ListenAddress } from "../settings/kinds.ts";
import { addMetric } from "./add-metric.ts";
import { addBackupMetrics } from "./backup-metrics.ts";
import { addCacheMetrics } from "./cache-metrics.ts";
import type { OnFinished } from "./finished-requests.ts";
import { addLiveMetrics } from "./live-metrics.ts";
import { failedLogWrites } from "./log.ts";
import type { Worker } from "./worker.ts";

const BUCKETS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10];

/** Gauges of the library with the names of counters; `nodejs_active_resources` and others have the same values. */
const MISNAMED = ["nodejs_active_handles_total", "nodejs_active_requests_total", "nodejs_active_resources_total"];

/**
 * Prometheus metrics: requests by operation, caches, and Node's own. With several workers each answers for all, with a
 * label for each worker: a sum over them would fall when one is replaced. Returns the callback that records one
 * finished request.
 */
export function mountMetrics(
  server: FastifyInstance,
  services: Pick<Services, "config" | "database" | "live">,
  worker?: Worker,
): OnFinished {
  const { config, live } = services;
  const registry = new Registry();
  const registers = [registry];
  if (worker) registry.setDefaultLabels({ worker: String(worker.number) });
  const requests = new Counter({
    name: "svc_http_requests_total",
    help: "Requests answered.",
    labelNames: ["operation", "status"],
    registers,
  });
  const durations = new Histogram({
    name: "svc_http_request_duration_seconds",
    help: "Time from the request's arrival to its answer.",
    labelNames: ["operation"],
    buckets: BUCKETS,
    registers,
  });
  addMetric(registry, "svc_log_write_errors_total", "Log lines or batches of them that could not be written.", () => [
    { value: failedLogWrites() },
  ]);
  addCacheMetrics(registry);
  addLiveMetrics(registry, live);
  addBackupMetrics(registry, services);
  let isComplete = false;
  /** Node's own metrics are collected from the first request for them on, because that costs something all the time. */
  const own = (): Registry => {
    if (isComplete) return registry;
    isComplete = true;
    collectDefaultMetrics({ register: registry });
    for (const name of MISNAMED) registry.removeSingleMetric(name);
    return registry;
  };
  const all = worker ? worker.shareMetrics(own) : () => own().metrics();
  const host = config.metricsAddress ? besides(server, config.metricsAddress) : server;
  host.get("/metrics", async (request, reply) => {
    if (config.metricsToken !== undefined) checkToken(config.metricsToken, request.headers.authorization);
    return reply.type(Registry.PROMETHEUS_CONTENT_TYPE).send(await all());
  });
  return ({ operation = "other", status, milliseconds }) => {
    requests.inc({ operation, status });
    durations.observe({ operation }, milliseconds / 1000);
  };
}

/** A server at a separate address that starts and stops with the main one; the start fails if it cannot listen. */
function besides(server: FastifyInstance, address: ListenAddress): FastifyInstance {
  const beside = Fastify({ logger: false, forceCloseConnections: true });
  beside.setErrorHandler((error, request, reply) => send(reply, writeError(toApiError(error), request.id)));
  server.addHook("onReady", async () => {
    await beside.listen(address);
  });
  server.addHook("onClose", () => beside.close());
  return beside;
}

/** Compares hashes: they have the same length, so the time reveals nothing about the token. */
function checkToken(token: string, authorization: string | undefined): void {
  const [, given] = /^Bearer +(\S+)$/i.exec(authorization ?? "") ?? [];
  if (given === undefined) throw apiError("token_missing");
  const digest = (text: string) => hash("sha256", text, "buffer");
  if (!timingSafeEqual(digest(given), digest(token))) throw apiError("token_invalid");
}
