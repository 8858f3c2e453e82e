import { Registry } from "prom-client";
import type { Worker } from "../../operation/worker.ts";
import type { FromWorker, Metrics, ToWorker } from "./messages.ts";

const METRICS_LIMIT_MS = 5000;

/** A worker's side of the channel to its supervisor. */
export class WorkerLink implements Worker {
  readonly number: number;
  readonly #asked = new Map<number, (text: string) => void>();
  #requests = 0;
  #ownMetrics: () => Registry = () => new Registry();
  #offerSetup: (address: string) => void = () => undefined;

  constructor(number: number) {
    this.number = number;
    process.on("message", (message) => void this.#take(message as ToWorker));
  }

  /**
   * Reports to the supervisor that this worker serves. Calls `offerSetup` if this worker should print the set-up link.
   */
  serving(address: string, offerSetup: (address: string) => void): void {
    this.#offerSetup = offerSetup;
    this.#send({ kind: "serving", address });
  }

  shareMetrics(own: () => Registry): () => Promise<string> {
    this.#ownMetrics = own;
    return () => this.#allMetrics();
  }

  async #allMetrics(): Promise<string> {
    const request = ++this.#requests;
    const { promise, resolve } = Promise.withResolvers<string>();
    this.#asked.set(request, resolve);
    // A supervisor that is gone or stuck must not hide this process's own metrics.
    const timer = setTimeout(() => this.#ownMetrics().metrics().then(resolve), METRICS_LIMIT_MS);
    this.#send({ kind: "want-metrics", request });
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#asked.delete(request);
    }
  }

  async #take(message: ToWorker): Promise<void> {
    if (message.kind === "offer-setup") this.#offerSetup(message.address);
    else if (message.kind === "all-metrics") this.#asked.get(message.request)?.(message.text);
    else {
      const metrics = (await this.#ownMetrics().getMetricsAsJSON()).map(sendable);
      this.#send({ kind: "metrics", request: message.request, metrics });
    }
  }

  #send(message: FromWorker): void {
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
  }
}

const sendable = (metric: Metrics[number]): Metrics[number] => ({
  ...metric,
  values: metric.values.map((sample) => ({
    ...sample,
    value: Number.isFinite(sample.value) ? sample.value : (String(sample.value) as never),
  })),
});
