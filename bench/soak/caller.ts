import type { SoakSite } from "./site.ts";
import type { Latencies } from "./watch.ts";

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely
  readonly data: any;
  readonly text: string;
  readonly version: string | undefined;
}

export interface Asked {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Statuses that are right beside those of success. */
  readonly allowed?: readonly number[];
  /** The process that is asked; in turns unless named. */
  readonly process?: 0 | 1;
}

/** After so long a client believes that its server is gone. */
const PATIENCE_MS = 60_000;

/** Calls either process, notes how long each answer took, and every answer that no fault excuses. */
export class Caller {
  readonly #site: SoakSite;
  readonly #latencies: Latencies;
  readonly wrong: string[] = [];
  acknowledged = 0;
  unanswered = 0;
  #turn = 0;

  constructor(site: SoakSite, latencies: Latencies) {
    this.#site = site;
    this.#latencies = latencies;
  }

  get token(): Readonly<Record<string, string>> {
    return { authorization: `Bearer ${this.#site.token}` };
  }

  /** The answer; undefined when there was none, or a 503: then nobody knows whether it happened. */
  async call(kind: string, path: string, asked: Asked = {}): Promise<Answer | undefined> {
    const { method = "GET", body, allowed = [] } = asked;
    const which = asked.process ?? (this.#turn++ % 2 === 0 ? 0 : 1);
    const began = performance.now();
    try {
      const reply = await fetch(`${this.#site.address(which)}${path}`, {
        method,
        headers: {
          ...this.token,
          ...(body !== undefined && { "content-type": "application/json" }),
          ...asked.headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(PATIENCE_MS),
        redirect: "manual",
      });
      const text = await reply.text();
      if (reply.status === 503) throw new TypeError("not now");
      this.#latencies.note(kind, performance.now() - began);
      if (reply.status >= 300 && !allowed.includes(reply.status))
        this.wrong.push(`${kind}: ${method} ${path}: ${reply.status} ${text.slice(0, 300)}`);
      else if (method !== "GET") this.acknowledged++;
      const isJson = reply.headers.get("content-type")?.includes("json") && text !== "";
      const version = reply.headers.get("etag")?.replace(/^"|"$/g, "");
      return { status: reply.status, text, version, data: isJson ? JSON.parse(text).data : undefined };
    } catch (error) {
      // A refused or broken connection, or one that took too long; anything else is an error of this program.
      if (!(error instanceof TypeError) && !(error instanceof DOMException)) throw error;
      this.unanswered++;
      return undefined;
    }
  }
}
