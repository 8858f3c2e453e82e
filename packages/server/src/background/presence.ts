import type { Logger } from "pino";
import type { Database, Tx } from "../db/database.ts";
import { statement } from "../db/statement/statement.ts";
import { newId } from "../ids.ts";
import { Loop } from "./loop.ts";

/** How often a process that holds something increments its beat. */
const BEAT_MS = 1500;
/** How often a process checks the beats of the others. */
const WATCH_MS = 500;
/** A process whose beat has not changed for this long is dead. */
export const DEAD_AFTER_MS = 10_000;

interface Observed {
  beat: number;
  /** How long this process has seen the beat unchanged. */
  silentMs: number;
}

const insertProcess = statement<{ id: string }, unknown>((tx, value) =>
  tx
    .insertInto("processes")
    .values({ id: value("id"), beat: 1 })
    .onConflict((conflict) => conflict.column("id").doNothing()),
);

/**
 * Knows which processes on the store are alive. A process that holds leases or streams has a row with a counter, its
 * beat. The others measure with their own monotonic clocks how long a beat stays the same. No time of day is stored or
 * compared, so clocks that are set, or that differ between machines, neither end nor prolong a lease. Deleting the row
 * of a dead process releases everything it held.
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
    const failed = (error: unknown) => log.warn({ err: error }, "renewing leases failed");
    this.#beat = new Loop({ round: () => this.#keepUp(), pauseMs: BEAT_MS, failed });
    this.#watch = new Loop({ round: () => this.#look(), pauseMs: WATCH_MS, failed });
  }

  /** Records that this process holds something until the returned function is called. */
  async enter(): Promise<() => void> {
    this.#users++;
    let isInside = true;
    await this.#leaving?.catch(() => undefined);
    return () => {
      if (isInside) this.#users--;
      isInside = false;
    };
  }

  /** Makes sure that the process's row exists, in the transaction that takes something for it. */
  async register(tx: Tx): Promise<void> {
    this.#isRegistered = true;
    await insertProcess(tx, { id: this.processId });
  }

  /**
   * `check` runs after each beat. `isNew` means that this process had been taken for dead and has lost everything it
   * held.
   */
  onBeat(check: (isNew: boolean) => Promise<void>): void {
    this.#afterBeat.add(check);
  }

  /** Processes whose counter has not changed for this long. */
  silentFor(ms: number): string[] {
    return [...this.#observed].filter(([, { silentMs }]) => silentMs >= ms).map(([id]) => id);
  }

  /** Releases everything that this process holds. */
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

  /** A caller that enters meanwhile waits for this and registers again. */
  async #unregister(): Promise<void> {
    if (!this.#isRegistered) return;
    this.#leaving = this.#forget(this.processId);
    await this.#leaving;
    this.#isRegistered = false;
  }

  async #look(): Promise<void> {
    const rows = await this.#database.read.selectFrom("processes").selectAll().execute();
    const now = performance.now();
    // A process that was itself suspended for a while has seen nothing meanwhile.
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

  /** With a `beat`, deletes the row only if it still has that beat. */
  async #forget(id: string, beat?: number): Promise<void> {
    await this.#database.transaction(async (tx) => {
      const row = tx.deleteFrom("processes").where("id", "=", id);
      await (beat === undefined ? row : row.where("beat", "=", beat)).execute();
    });
  }
}
