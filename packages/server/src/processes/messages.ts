/** What a worker tells its supervisor. */
export type FromWorker =
  | { readonly kind: "serving"; readonly address: string }
  /** Somebody asks this worker for the figures of all. */
  | { readonly kind: "want-metrics"; readonly request: number }
  /** This worker's own figures, for another worker's request. */
  | { readonly kind: "metrics"; readonly request: number; readonly text: string };

/** What the supervisor tells a worker. */
export type ToWorker =
  | { readonly kind: "offer-setup"; readonly address: string }
  | { readonly kind: "tell-metrics"; readonly request: number }
  | { readonly kind: "all-metrics"; readonly request: number; readonly text: string };

/** The variable that tells a worker which of them it is, from 1. It stays the same when a dead one is replaced. */
export const WORKER_NUMBER = "SVC_WORKER";

/** A signal that comes so soon after the first is the same one, sent to a process and to its group. */
export const SAME_SIGNAL_MS = 1000;

/** What runs may take so long to end; then a process ends anyway. */
export const SHUTDOWN_LIMIT_MS = 10_000;
