import type { Worker } from "../operation/worker.ts";
import type { FromWorker, ToWorker } from "./messages.ts";

const METRICS_LIMIT_MS = 5000;

/** A worker's side of the channel to its supervisor. */
export class WorkerLink implements Worker {
  readonly number: number;
  readonly #asked = new Map<number, (text: string) => void>();
  #requests = 0;
  #ownMetrics: () => Promise<string> = async () => "";
  #offerSetup: (address: string) => void = () => undefined;

  constructor(number: number) {
    this.number = number;
    process.on("message", (message) => void this.#take(message as ToWorker));
  }

  /** Tells the supervisor that this worker serves; `offerSetup` is called if it is the one to print the set-up link. */
  serving(address: string, offerSetup: (address: string) => void): void {
    this.#offerSetup = offerSetup;
    this.#send({ kind: "serving", address });
  }

  shareMetrics(own: () => Promise<string>): () => Promise<string> {
    this.#ownMetrics = own;
    return () => this.#allMetrics();
  }

  async #allMetrics(): Promise<string> {
    const request = ++this.#requests;
    const { promise, resolve } = Promise.withResolvers<string>();
    this.#asked.set(request, resolve);
    // A supervisor that is gone or stuck must not hide what this process knows.
    const timer = setTimeout(() => this.#ownMetrics().then(resolve), METRICS_LIMIT_MS);
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
    else this.#send({ kind: "metrics", request: message.request, text: await this.#ownMetrics() });
  }

  #send(message: FromWorker): void {
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
  }
}
