import type { Worker as Child } from "node:cluster";
import type { MetricValue } from "prom-client";
import type { FromWorker, Metrics, ToWorker } from "./messages.ts";

/** A worker that does not answer in time is left out. */
const LIMIT_MS = 2000;
let rounds = 0;

/** The metrics of these workers as text, as far as they answer, and how often each worker was replaced. */
export async function mergedMetrics(
  children: readonly Child[],
  restarts: readonly MetricValue<"worker">[],
): Promise<string> {
  // Loaded when it is needed, so that the supervisor stays small.
  const { AggregatorRegistry, Counter, Registry } = await import("prom-client");
  const request = ++rounds;
  const answers = await Promise.all(children.map((child) => ask(child, request)));
  const own = new Registry();
  const replaced = new Counter({
    name: "svc_worker_restarts_total",
    help: "Worker processes that ended and were replaced.",
    labelNames: ["worker"],
    registers: [own],
  });
  for (const { labels, value } of restarts) replaced.inc(labels, value);
  const all = [await own.getMetricsAsJSON(), ...answers.filter((metrics) => metrics !== undefined)];
  // Each sample has the label of its worker, so none are added up.
  return AggregatorRegistry.aggregate(all.map((metrics) => metrics.map(summed))).metrics();
}

/** The library would leave out metrics that cannot be added up. */
const summed = (metric: Metrics[number]): Metrics[number] => ({
  ...metric,
  aggregator: "sum",
  values: metric.values.map((sample) => ({ ...sample, value: Number(sample.value) })),
});

function ask(child: Child, request: number): Promise<Metrics | undefined> {
  const { promise, resolve } = Promise.withResolvers<Metrics | undefined>();
  const giveUp = () => resolve(undefined);
  const heard = (message: FromWorker) => {
    if (message.kind === "metrics" && message.request === request) resolve(message.metrics);
  };
  const timer = setTimeout(giveUp, LIMIT_MS);
  child.on("message", heard).once("exit", giveUp);
  child.send({ kind: "send-metrics", request } satisfies ToWorker, (error) => error && giveUp());
  return promise.finally(() => {
    clearTimeout(timer);
    child.off("message", heard).off("exit", giveUp);
  });
}
