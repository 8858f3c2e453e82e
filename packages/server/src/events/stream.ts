import { Readable } from "node:stream";
import { setImmediate as otherWork } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import type { BaseFilter } from "../db/audience/base-filter.ts";
import { sseComment, sseEvent, sseRetry } from "../http/wire/sse.ts";
import type { EventReads } from "./queries.ts";
import { chunkOf, type EventFilter, filterKey, render, withoutHidden } from "./rendered.ts";
import { isNext, type SyncRequired } from "./resume.ts";
import { BATCH, type Tail } from "./tail.ts";

const RETRY_MS = 5000;
/** A reader with more than this waiting counts as behind. */
const BUFFER_BYTES = 64 * 1024;

interface StreamOptions {
  readonly tokenId: string;
  readonly workspaceId: string;
  readonly wants: EventFilter;
  /** The reader knows everything up to this id. */
  readonly position: number;
  readonly sync: SyncRequired | undefined;
  readonly tail: Tail;
  readonly reads: EventReads;
  /** Describes how a reader can continue if its next events have been removed. */
  readonly explain: (position: number) => Promise<SyncRequired>;
  readonly closed: (stream: EventStream) => void;
}

/**
 * One reader. It catches up from the store at the pace of its connection, joins the tail when nothing is missing, and
 * leaves it again when its buffer is full. So its memory is limited, and it is never sent an id twice.
 */
export class EventStream extends Readable {
  readonly tokenId: string;
  readonly workspaceId: string;
  #wants: EventFilter;
  readonly #options: StreamOptions;
  #position: number;
  /** The time since which the buffer has been full. */
  #fullSince: number | undefined;
  #catchingUp = false;
  #ended = false;

  constructor(options: StreamOptions) {
    super({ highWaterMark: BUFFER_BYTES });
    this.tokenId = options.tokenId;
    this.workspaceId = options.workspaceId;
    this.#wants = options.wants;
    this.#options = options;
    this.#position = options.position;
    const sync = options.sync ? sseEvent("sync.required", JSON.stringify(options.sync)) : "";
    this.push(sseRetry(RETRY_MS) + sync + this.#heartbeat);
  }

  get wants(): EventFilter {
    return this.#wants;
  }

  /** Updates the knowledge bases that the reader sees, after its rights changed. */
  see(hidden: BaseFilter | undefined): void {
    const wants = { ...this.#wants, hidden };
    if (this.#ended || filterKey(wants) === filterKey(this.#wants)) return;
    this.#options.tail.leave(this);
    this.#wants = wants;
    if (this.#fullSince === undefined) this.catchUp();
  }

  /** Id of the last event that was sent or filtered out. */
  get position(): number {
    return this.#position;
  }

  /** Defined while the reader accepts nothing although something waits for it, even if only the end. */
  get fullSince(): number | undefined {
    return this.#fullSince;
  }

  /** Sends events up to `position`; returns false if the reader must catch up by itself from there. */
  deliver(chunk: Buffer | undefined, position: number): boolean {
    if (this.#ended) return false;
    this.#position = position;
    return chunk === undefined || this.#write(chunk);
  }

  /** Continues from `position` until the stream is live or its buffer is full. */
  catchUp(): void {
    if (this.#catchingUp) return;
    this.#catchingUp = true;
    this.#catchUpLoop().catch(() => this.destroy());
  }

  beat(): void {
    if (this.#ended || this.#fullSince !== undefined) return;
    if (!this.#write(this.#heartbeat)) this.#options.tail.leave(this);
  }

  /** Ends the stream cleanly, with a last message if there is one. */
  finish(type?: string, data?: object): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#fullSince ??= performance.now();
    this.#options.tail.leave(this);
    if (type !== undefined) this.push(sseEvent(type, JSON.stringify(data)));
    this.push(null);
  }

  override _read(): void {
    if (this.#fullSince === undefined || this.#ended) return;
    this.#fullSince = undefined;
    this.catchUp();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#ended = true;
    this.#options.tail.leave(this);
    this.#options.closed(this);
    done(error);
  }

  /** The position is a comment: a reader with a filter may use it, others skip it. */
  get #heartbeat(): string {
    return sseComment(`position ${this.#position}`);
  }

  #write(chunk: Buffer | string): boolean {
    if (this.push(chunk)) return true;
    this.#fullSince = performance.now();
    return false;
  }

  async #catchUpLoop(): Promise<void> {
    try {
      while (!this.#ended && this.#fullSince === undefined && !this.#options.tail.join(this)) {
        await this.#readBatch();
        await otherWork();
      }
    } finally {
      this.#catchingUp = false;
    }
  }

  /** Never reads beyond the tail: a stream that had overtaken it could not join. */
  async #readBatch(): Promise<void> {
    const { tail, reads } = this.#options;
    const from = this.#position;
    const limit = Math.min(BATCH, tail.position - from);
    const events =
      tail.recentAfter(from) ?? (limit > 0 ? (await reads.after(tail.workspaceId, from, limit)).map(render) : []);
    if (this.#ended) return;
    if (events[0] && isNext(events[0], from)) {
      const { workspaceId } = tail;
      const shown = await withoutHidden(
        events,
        (event) => event.documentId,
        this.wants.hidden,
        (ids) => reads.knowledgeBasesOf(workspaceId, ids),
      );
      if (!this.#ended) this.deliver(chunkOf(shown, this.wants), defined(events.at(-1)).id);
    } else await this.#skipGap();
  }

  /** Retention has overtaken the reader, or the store was replaced. */
  async #skipGap(): Promise<void> {
    const { tail, explain } = this.#options;
    const asked = tail.position;
    const sync = await explain(this.#position);
    await tail.align(sync.resume_from, asked);
    this.deliver(Buffer.from(sseEvent("sync.required", JSON.stringify(sync))), sync.resume_from);
  }
}
