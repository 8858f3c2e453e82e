import type { FastifyInstance } from "fastify";
import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";

/** Prometheus figures of this process: requests by operation, and what Node knows of itself. */
export function mountMetrics(server: FastifyInstance): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: "svc_http_requests_total",
    help: "Requests answered.",
    labelNames: ["operation", "status"] as const,
    registers: [registry],
  });
  const duration = new Histogram({
    name: "svc_http_request_duration_seconds",
    help: "Time from the request's arrival to its answer.",
    labelNames: ["operation"] as const,
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  });
  server.addHook("onResponse", (request, reply, done) => {
    const operation = request.routeOptions.config.operation ?? "other";
    requests.inc({ operation, status: reply.statusCode });
    duration.observe({ operation }, reply.elapsedTime / 1000);
    done();
  });
  server.get("/metrics", async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()));
}
