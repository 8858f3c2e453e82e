import { setTimeout as sleep } from "node:timers/promises";
import { DatabaseUnavailable, type Tx } from "../database.ts";
import type { Signals } from "../signals.ts";
import { commitAlone, commitTogether, type GroupConnection, type GroupDialect } from "../transaction/commit-group.ts";
import type { QueuedWrite } from "../transaction/write-queue.ts";
import { yieldToWriters } from "../transaction/yield-to-writers.ts";
import { kyselyOver, SqliteConnection, statementsOver } from "./connection.ts";
import { isBusy, toDatabaseError } from "./errors.ts";

/**
 * The number of transactions that share one commit, and so one flush to disk, and how long the first may wait for the
 * others.
 */
const GROUP_SIZE = 64;
const GROUP_MS = 25;
/**
 * Pages in the WAL (16 MB) before a checkpoint. A checkpoint writes a page once even if many commits changed it, so a
 * longer log means less writing and fewer flushes.
 */
const LOG_PAGES = 4000;
/** The longest pause between two checks whether another process has released the file. */
const LOOK_MS = 8;
/**
 * After a busy error, the length of the pause between commits and how long to keep pausing, so that the other process
 * can write too.
 */
const PAUSE_AFTER_BUSY_MS = 2;
const BUSY_MEMORY_MS = 1000;

/** The only writer of this process. It waits for other processes on the same file without blocking the event loop. */
export class SqliteWriter {
  readonly #connection: SqliteConnection;
  readonly #group: GroupConnection;
  readonly #dialect: GroupDialect;
  readonly #waitMs: number;
  readonly #queue: QueuedWrite[] = [];
  #drained: Promise<void> | undefined;
  #closed = false;
  /** When another process last held the file. */
  #busyAt = Number.NEGATIVE_INFINITY;

  /** `committed` is called after each commit, before any caller gets its result. */
  constructor(file: string, committed: () => void, signals: Pick<Signals, "announce">, waitMs: number) {
    this.#waitMs = waitMs;
    this.#connection = new SqliteConnection(file, { readOnly: false });
    // SQLite itself must not wait, because it would block the whole process.
    this.#connection.raw.exec(
      `pragma busy_timeout = 10000; pragma journal_mode = wal; pragma synchronous = full;
       pragma wal_autocheckpoint = ${LOG_PAGES}; pragma busy_timeout = 0`,
    );
    this.#group = groupConnection(this.#connection, async () => {
      await this.#exec("commit");
      committed();
    });
    this.#dialect = {
      maxWrites: GROUP_SIZE,
      maxMs: GROUP_MS,
      // All writers wait for each other here.
      maxPatientMs: GROUP_MS,
      // The transaction owns the file, so it holds no row lock too early.
      refusesEarly: true,
      signals,
      begin: () => this.#begin(),
      // The event loop turns between two transactions: readers continue and further writers may join.
      pause: yieldToWriters,
      isConflict: () => false,
    };
  }

  run<T>(work: (tx: Tx) => Promise<T>, isShared: boolean): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#closed) return reject(new DatabaseUnavailable(new Error("closed")));
      this.#queue.push({ work, isShared, isPatient: false, resolve, reject });
      this.#drained ??= this.#drain();
    });
  }

  async #drain(): Promise<void> {
    const alone = (work: (tx: Tx) => Promise<unknown>) => commitAlone(this.#dialect, work);
    while (this.#queue.length > 0) {
      // A transaction runs without yielding. Without this turn it would always be alone in its group.
      if (performance.now() - this.#busyAt > BUSY_MEMORY_MS) await yieldToWriters();
      else await sleep(PAUSE_AFTER_BUSY_MS);
      const first = this.#queue.shift();
      if (first) await commitTogether(this.#dialect, alone, first, () => this.#queue.shift());
    }
    this.#drained = undefined;
  }

  async #begin(): Promise<GroupConnection> {
    try {
      await this.#exec("begin immediate");
      return this.#group;
    } catch (error) {
      const failure = toDatabaseError(error);
      for (const { reject } of this.#queue.splice(0)) reject(failure);
      throw failure;
    }
  }

  async #exec(sql: string): Promise<void> {
    const deadline = performance.now() + this.#waitMs;
    for (let pause = 1; ; pause = Math.min(pause * 2, LOOK_MS)) {
      try {
        this.#connection.raw.exec(sql);
        return;
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw error;
        this.#busyAt = performance.now();
        await sleep(pause * (0.5 + Math.random()));
      }
    }
  }

  /** Closes after all queued writes. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#drained;
    this.#connection.close();
  }
}

/** All savepoints share one name, since each is released at once: so their statements are prepared once. */
function groupConnection(connection: SqliteConnection, commit: () => Promise<void>): GroupConnection {
  const { raw } = connection;
  return {
    tx: { kysely: kyselyOver(connection), statements: statementsOver(connection) },
    savepoint: () => void connection.run("savepoint job", []),
    release: () => void connection.run("release job", []),
    undo: async () => raw.exec("rollback to job; release job"),
    commit,
    rollback: async () => {
      if (raw.isTransaction) raw.exec("rollback");
    },
    end: () => undefined,
    toFailure: toDatabaseError,
    // SQLite rolls the whole transaction back if the disk is full or broken.
    isEnded: () => !raw.isTransaction,
  };
}
