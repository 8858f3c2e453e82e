import type { Logger } from "pino";
import type { Database, Tx } from "../db/database.ts";
import { statement } from "../db/statement/statement.ts";
import { newId } from "../ids.ts";
import { Loop } from "./loop.ts";

/** A process that holds something counts its beat up this often. */
const BEAT_MS = 1500;
/** How often the beats of the others are looked at. */
const WATCH_MS = 500;
/** A process whose beat stands still for so long is dead. */
export const DEAD_AFTER_MS = 10_000;

interface Observed {
  beat: number;
  /** For so long this process has seen the beat stand still. */
  silentMs: number;
}

const insertProcess = statement<{ id: string }, unknown>((tx, value) =>
  tx
    .insertInto("processes")
    .values({ id: value("id"), beat: 1 })
    .onConflict((conflict) => conflict.column("id").doNothing()),
);

/**
 * Which processes on the store live. A process that holds leases or streams has a row with a counter, its beat. The
 * others measure with their own monotonic clocks for how long a beat stands still. No time of day is stored or
 * compared, so clocks that are set, or that differ between machines, end no lease and prolong none. With the row of a
 * dead process goes all that it held.
 */
export class Presence {
  readonly processId = newId("proc");
  readonly #database: Database;
  readonly #beat: Loop;
  readonly #watch: Loop;
  readonly #observed = new Map<string, Observed>();
  readonly #afterBeat = new Set<(isNew: boolean) => Promise<void>>();
  #lookedAt = performance.now();
  #users = 0;
  #isRegistered = false;
  #leaving: Promise<void> | undefined;

  constructor(database: Database, log: Pick<Logger, "warn">) {
    this.#database = database;
    const failed = (error: unknown) => log.warn({ err: error }, "leases could not be kept up");
    this.#beat = new Loop({ round: () => this.#keepUp(), pauseMs: BEAT_MS, failed });
    this.#watch = new Loop({ round: () => this.#look(), pauseMs: WATCH_MS, failed });
  }

  /** From now on this process holds something, until the returned function is called. */
  async enter(): Promise<() => void> {
    this.#users++;
    let isInside = true;
    await this.#leaving?.catch(() => undefined);
    return () => {
      if (isInside) this.#users--;
      isInside = false;
    };
  }

  /** In the transaction that takes something: what refers to this process can be stored. */
  async register(tx: Tx): Promise<void> {
    this.#isRegistered = true;
    await insertProcess(tx, { id: this.processId });
  }

  /** `check` runs after each beat; `isNew` when this process had been taken for dead, and all that it held is gone. */
  onBeat(check: (isNew: boolean) => Promise<void>): void {
    this.#afterBeat.add(check);
  }

  /** Processes whose counter has not risen for so long. */
  silentFor(ms: number): string[] {
    return [...this.#observed].filter(([, { silentMs }]) => silentMs >= ms).map(([id]) => id);
  }

  /** Gives back all that this process holds. */
  async close(): Promise<void> {
    await Promise.all([this.#beat.stop(), this.#watch.stop()]);
    await this.#unregister();
  }

  async #keepUp(): Promise<void> {
    if (this.#users === 0) return this.#unregister();
    const { beat } = await this.#database.transaction((tx) =>
      tx
        .insertInto("processes")
        .values({ id: this.processId, beat: 0 })
        .onConflict((conflict) => conflict.column("id").doUpdateSet((eb) => ({ beat: eb("processes.beat", "+", 1) })))
        .returning("beat")
        .executeTakeFirstOrThrow(),
    );
    this.#isRegistered = true;
    for (const check of this.#afterBeat) await check(beat === 0);
  }

  /** A caller that enters during this waits for it, then registers again. */
  async #unregister(): Promise<void> {
    if (!this.#isRegistered) return;
    this.#leaving = this.#forget(this.processId);
    await this.#leaving;
    this.#isRegistered = false;
  }

  async #look(): Promise<void> {
    const rows = await this.#database.read.selectFrom("processes").selectAll().execute();
    const now = performance.now();
    // A process that was itself stopped for a while has seen nothing meanwhile.
    const elapsed = Math.min(now - this.#lookedAt, 2 * WATCH_MS);
    this.#lookedAt = now;
    const ids = new Set(rows.map(({ id }) => id));
    for (const id of this.#observed.keys()) if (!ids.has(id)) this.#observed.delete(id);
    for (const { id, beat } of rows) if (id !== this.processId) this.#observe(id, beat, elapsed);
    const dead = new Set(this.silentFor(DEAD_AFTER_MS));
    for (const row of rows) if (dead.has(row.id)) await this.#forget(row.id, row.beat);
  }

  #observe(id: string, beat: number, elapsed: number): void {
    const before = this.#observed.get(id);
    const isSame = before?.beat === beat;
    this.#observed.set(id, { beat, silentMs: isSame ? before.silentMs + elapsed : 0 });
  }

  /** With a `beat` only if it still stands there. */
  async #forget(id: string, beat?: number): Promise<void> {
    await this.#database.transaction(async (tx) => {
      const row = tx.deleteFrom("processes").where("id", "=", id);
      await (beat === undefined ? row : row.where("beat", "=", beat)).execute();
    });
  }
}
