import { statfs } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";

/** The time between two probes, however often readiness is requested: after a success, and after a failure. */
const INTERVAL_MS = 5000;
const RETRY_MS = 500;
/** How long an answer waits for the probe; until it ends, the previous outcome counts. */
const PATIENCE_MS = 1000;
/** A probe that takes longer has failed: writers wait for each other, but not for so long. */
const DEADLINE_MS = 15_000;

/** With less free disk space SQLite cannot make an ordinary write, although a small one may still fit. */
const MIN_FREE_BYTES = 1024 * 1024;

const KEY = "write_probe";

/** Checks whether the store accepts writes, by a small write and, for SQLite, by the free space on its disk. */
export class WriteProbe {
  readonly #database: Database;
  /** The folder of the SQLite file. */
  readonly #folder: string | undefined;
  #isWritable = true;
  #triedAt = Number.NEGATIVE_INFINITY;
  #running: Promise<void> | undefined;

  constructor(database: Database, { databaseUrl, dataDir }: Pick<Config, "databaseUrl" | "dataDir">) {
    this.#database = database;
    this.#folder = databaseUrl === undefined ? dataDir : undefined;
  }

  async isWritable(): Promise<boolean> {
    const pause = this.#isWritable ? INTERVAL_MS : RETRY_MS;
    if (!this.#running && performance.now() - this.#triedAt >= pause) this.#running = this.#try();
    if (this.#running) await Promise.race([this.#running, sleep(PATIENCE_MS, undefined, { ref: false })]);
    const isLate = this.#running !== undefined && performance.now() - this.#triedAt > DEADLINE_MS;
    return this.#isWritable && !isLate && (await this.#hasRoom());
  }

  async #hasRoom(): Promise<boolean> {
    if (this.#folder === undefined) return true;
    const { bavail, bfree, bsize } = await statfs(this.#folder);
    return (process.getuid?.() === 0 ? bfree : bavail) * bsize >= MIN_FREE_BYTES;
  }

  async #try(): Promise<void> {
    this.#triedAt = performance.now();
    try {
      const value = String(Date.now());
      await this.#database.transaction((tx) =>
        tx
          .insertInto("server_state")
          .values({ key: KEY, value })
          .onConflict((conflict) => conflict.column("key").doUpdateSet({ value }))
          .execute(),
      );
      this.#isWritable = true;
    } catch {
      this.#isWritable = false;
    } finally {
      this.#running = undefined;
    }
  }
}
