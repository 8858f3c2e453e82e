import type { Registry } from "prom-client";

/** The metrics of one process. Values that are no finite numbers are sent as text, because JSON has none. */
export type Metrics = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>;

/** Messages from a worker to its supervisor. */
export type FromWorker =
  | { readonly kind: "serving"; readonly address: string }
  /** This worker was asked for the metrics of all workers. */
  | { readonly kind: "want-metrics"; readonly request: number }
  /** This worker's own metrics, for another worker's request. */
  | { readonly kind: "metrics"; readonly request: number; readonly metrics: Metrics };

/** Messages from the supervisor to a worker. */
export type ToWorker =
  | { readonly kind: "offer-setup"; readonly address: string }
  | { readonly kind: "send-metrics"; readonly request: number }
  | { readonly kind: "all-metrics"; readonly request: number; readonly text: string };

/** The variable that holds a worker's number, from 1. It stays the same when a dead worker is replaced. */
export const WORKER_NUMBER = "SVC_WORKER";

/** A second signal within this time is the same one, sent to a process and to its group. */
export const SAME_SIGNAL_MS = 1000;

/** The time limit for running work at a stop; then a process ends anyway. */
export const SHUTDOWN_LIMIT_MS = 10_000;
