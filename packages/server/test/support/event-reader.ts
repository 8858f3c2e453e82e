import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { defined } from "@svc/document/defined";
import type { Loose } from "./client.ts";

interface Received {
  /** Undefined for control events. */
  readonly id: number | undefined;
  readonly type: string;
  readonly data: Loose;
  /** `performance.now()` at its arrival. */
  readonly at: number;
}

export interface ReaderOptions {
  readonly lastEventId?: number | string | undefined;
  readonly query?: string;
  /** Called with every event as it arrives. */
  readonly onEvent?: (event: Received, reader: EventReader) => void;
}

/** On a busy machine. */
const WAIT_MS = 60_000;

/** Reads an event stream as the standard says: fields up to a blank line, comments aside. */
export class EventReader {
  readonly events: Received[] = [];
  readonly comments: string[] = [];
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Settles when the connection is over; tells whether the stream was ended properly. */
  readonly ended: Promise<"end" | "cut">;
  retry: number | undefined;
  /** The beginning of what came. */
  text = "";
  readonly #onEvent: ReaderOptions["onEvent"];
  readonly #response: IncomingMessage;
  #pending = "";
  #looked = 0;
  #arrived: (() => void) | undefined;

  constructor(response: IncomingMessage, onEvent?: ReaderOptions["onEvent"]) {
    this.#response = response;
    this.#onEvent = onEvent;
    this.status = response.statusCode ?? 0;
    this.headers = response.headers;
    this.ended = new Promise((resolve) => {
      response.once("end", () => resolve("end"));
      response.once("error", () => resolve("cut"));
      response.once("close", () => resolve(response.complete ? "end" : "cut"));
    });
    response.setEncoding("utf8");
    response.on("data", (chunk: string) => {
      if (this.text.length < 100_000) this.text += chunk;
      this.#pending += chunk;
      this.#parse();
    });
  }

  /** Answers once the headers are there. */
  static open(
    url: string,
    token: string,
    { lastEventId, query = "", onEvent }: ReaderOptions = {},
  ): Promise<EventReader> {
    return new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${token}`,
        ...(lastEventId !== undefined && { "last-event-id": String(lastEventId) }),
      };
      const call = request(`${url}/api/v1/events${query}`, { headers, agent: false });
      call.once("response", (response) => resolve(new EventReader(response, onEvent)));
      call.on("error", reject);
      call.end();
    });
  }

  get lastId(): number | undefined {
    return this.events.findLast((event) => event.id !== undefined)?.id;
  }

  /** The next event not yet looked at, waiting for it if need be. */
  async next(): Promise<Received> {
    await this.until(() => this.events.length > this.#looked, "an event");
    return defined(this.events[this.#looked++]);
  }

  async until(holds: () => boolean, what: string, ms = WAIT_MS): Promise<void> {
    const deadline = performance.now() + ms;
    while (!holds()) {
      const left = deadline - performance.now();
      if (left <= 0) throw new Error(`Waited in vain for ${what}; got ${JSON.stringify(this.events.slice(-5))}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#arrived = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  pause(): void {
    this.#response.pause();
    this.#response.socket.pause();
  }

  resume(): void {
    this.#response.socket.resume();
    this.#response.resume();
  }

  close(): void {
    this.#response.destroy();
  }

  #parse(): void {
    for (let end = this.#pending.indexOf("\n\n"); end >= 0; end = this.#pending.indexOf("\n\n")) {
      this.#take(this.#pending.slice(0, end));
      this.#pending = this.#pending.slice(end + 2);
    }
    this.#arrived?.();
  }

  #take(block: string): void {
    const fields: Record<string, string> = {};
    for (const line of block.split("\n")) {
      if (line.startsWith(":")) this.comments.push(line.slice(1).trim());
      else fields[line.slice(0, line.indexOf(":"))] = line.slice(line.indexOf(":") + 1).trim();
    }
    if (fields.retry) this.retry = Number(fields.retry);
    if (fields.data === undefined) return;
    const id = fields.id === undefined ? undefined : Number(fields.id);
    const event = { id, type: fields.event ?? "message", data: JSON.parse(fields.data), at: performance.now() };
    this.events.push(event);
    this.#onEvent?.(event, this);
  }
}
