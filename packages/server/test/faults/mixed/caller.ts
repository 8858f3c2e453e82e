import { setTimeout as sleep } from "node:timers/promises";
import { type CallOptions, Client, type Reply } from "../../support/client.ts";
import type { LoadRecord } from "./record.ts";

/** After so long a client believes that its server is gone. */
const PATIENCE_MS = 15_000;

/** Calls a server that may be gone at any moment. */
export class Caller {
  readonly #client: () => Client;
  readonly #record: LoadRecord;

  constructor(url: () => string, token: string, record: LoadRecord, options: { readonly checked?: boolean } = {}) {
    this.#client = () => new Client(url(), token, options);
    this.#record = record;
  }

  /** The answer, or undefined when there was none or a 503: then nobody knows whether it happened. */
  async call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Reply | undefined> {
    const answer = this.#client()
      .call(method, path, body, options)
      .catch((error: Error) => {
        // A refused or broken connection; anything else is a wrong answer.
        if (error instanceof TypeError) return undefined;
        this.#record.unexpected.push(`${method} ${path}: ${error.message}`);
      });
    const reply = await Promise.race([answer, sleep(PATIENCE_MS, undefined, { ref: false })]);
    if (reply && reply.status < 300) {
      if (method !== "GET") this.#record.acknowledged++;
      return reply;
    }
    this.#record.unanswered++;
    if (reply && (reply.status !== 503 || !reply.headers.get("retry-after")))
      this.#record.unexpected.push(`${method} ${path}: ${reply.status} ${reply.text.slice(0, 300)}`);
    return undefined;
  }
}
