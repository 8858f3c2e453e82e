import { setImmediate as otherWork } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import type { EventReads, StoredEvent } from "./queries.ts";
import { chunkOf, type EventFilter, filterKey, type Rendered, render } from "./rendered.ts";
import { isNext } from "./resume.ts";

/** A stream as the tail uses it. */
interface Follower {
  readonly wants: EventFilter;
  readonly position: number;
  /** Sends events up to `position`; returns false if the reader must catch up by itself from there. */
  deliver(chunk: Buffer | undefined, position: number): boolean;
  /** Continues from its position by itself. */
  catchUp(): void;
}

/** Events per read: a reader that falls behind holds at most this many, beside its buffer. */
export const BATCH = 100;
const RECENT_BYTES = 1024 * 1024;

/**
 * The end of one workspace's events, read once for all its streams in this process. Streams that have everything up to
 * `position` are live and are sent new events; the others catch up by themselves and then join.
 */
export class Tail {
  readonly workspaceId: string;
  readonly #reads: EventReads;
  /** Live streams, grouped where one text serves them all. */
  readonly #live = new Map<string, { readonly filter: EventFilter; readonly streams: Set<Follower> }>();
  /** The newest events without gaps, the last of them at `position`. */
  #recent: Rendered[] = [];
  #recentBytes = 0;
  #position: number;
  #reading: Promise<void> | undefined;
  #unread = false;
  /** The number of streams in any state. The tail is kept as long as there is one. */
  users = 0;

  constructor(workspaceId: string, position: number, reads: EventReads) {
    this.workspaceId = workspaceId;
    this.#position = position;
    this.#reads = reads;
  }

  get position(): number {
    return this.#position;
  }

  /** Reads to the end. A call during a read causes one more round. */
  read(): Promise<void> {
    this.#unread = true;
    this.#reading ??= this.#readAll().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /**
   * Reads if there is something to read. `asked` is the tail's position when `newest` was requested: an end before that
   * means that the store was replaced. (The tail may have moved beyond that answer meanwhile.)
   */
  async align(newest: number, asked: number): Promise<void> {
    if (newest < asked) this.#moveTo(newest);
    else if (newest > this.#position) await this.read();
  }

  /** Makes a stream live if there is nothing between it and the tail: from then on it misses nothing. */
  join(stream: Follower): boolean {
    if (stream.position !== this.#position) return false;
    const key = filterKey(stream.wants);
    const group = this.#live.get(key) ?? { filter: stream.wants, streams: new Set() };
    this.#live.set(key, group);
    group.streams.add(stream);
    return true;
  }

  leave(stream: Follower): void {
    const key = filterKey(stream.wants);
    const group = this.#live.get(key);
    group?.streams.delete(stream);
    if (group?.streams.size === 0) this.#live.delete(key);
  }

  /** A batch of the next events, if it is still in memory. */
  recentAfter(position: number): readonly Rendered[] | undefined {
    const from = this.#recent.length - (this.#position - position);
    return from >= 0 && from < this.#recent.length ? this.#recent.slice(from, from + BATCH) : undefined;
  }

  async #readAll(): Promise<void> {
    while (this.#unread) {
      this.#unread = false;
      const rows = await this.#reads.after(this.workspaceId, this.#position, BATCH);
      if (rows.length > 0) this.#take(rows);
      if (rows.length < BATCH) continue;
      this.#unread = true;
      await otherWork();
    }
  }

  #take(rows: readonly StoredEvent[]): void {
    if (!isNext(defined(rows[0]), this.#position)) this.#moveTo(defined(rows[0]).id - 1);
    const events = rows.map(render);
    this.#position = defined(events.at(-1)).id;
    this.#remember(events);
    // A personal event makes each stream's text different; otherwise one text serves a whole group.
    const isPersonal = events.some(({ userId }) => userId !== null);
    for (const { filter, streams } of this.#live.values()) {
      const shared = isPersonal ? undefined : chunkOf(events, filter);
      for (const stream of streams) {
        const chunk = isPersonal ? chunkOf(events, stream.wants) : shared;
        if (!stream.deliver(chunk, this.#position)) this.leave(stream);
      }
    }
  }

  #remember(events: readonly Rendered[]): void {
    this.#recent.push(...events);
    for (const { bytes } of events) this.#recentBytes += bytes.length;
    if (this.#recentBytes <= 2 * RECENT_BYTES) return;
    let drop = 0;
    while (this.#recentBytes > RECENT_BYTES) this.#recentBytes -= defined(this.#recent[drop++]).bytes.length;
    this.#recent = this.#recent.slice(drop);
  }

  /** The events in between are gone. The streams find that out by themselves and report it to their readers. */
  #moveTo(position: number): void {
    this.#position = position;
    this.#recent = [];
    this.#recentBytes = 0;
    const streams = [...this.#live.values()].flatMap((group) => [...group.streams]);
    this.#live.clear();
    for (const stream of streams) stream.catchUp();
  }
}
