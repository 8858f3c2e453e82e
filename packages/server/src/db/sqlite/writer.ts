import { setTimeout as sleep } from "node:timers/promises";
import { DatabaseUnavailable, MAX_WAIT_MS, type Tx } from "../database.ts";
import type { Signals } from "../signals.ts";
import { conclude, type FinishedWork, runLastSteps, runRefusing, runWork } from "../transaction/last-steps.ts";
import { CommitState } from "../transaction/lock-order.ts";
import type { TxConnection } from "../transaction/transaction.ts";
import { yieldToWriters } from "../transaction/yield-to-writers.ts";
import { kyselyOver, SqliteConnection, statementsOver } from "./connection.ts";
import { isBusy, toDatabaseError } from "./errors.ts";

/** How many transactions share one commit, and so one flush to disk; and how long the first may wait for the others. */
const GROUP_SIZE = 64;
const GROUP_MS = 10;
/**
 * Pages in the log, 16 MB, before what they hold is brought into the file. A page that many commits write goes there
 * once, so a longer log means less writing, and less often the flushes that go with it.
 */
const LOG_PAGES = 4000;
/** The longest pause between two looks whether another process has left the file. */
const LOOK_MS = 8;
/** After a busy error, wait so long between commits, for so long, so that the other process can write too. */
const PAUSE_AFTER_BUSY_MS = 2;
const BUSY_MEMORY_MS = 1000;

interface Job {
  readonly work: (tx: Tx) => Promise<unknown>;
  /** Its last steps may be written together with those of others in its group. */
  readonly sharesCommit: boolean;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface Done {
  readonly job: Job;
  /** With last steps that are not written yet. */
  readonly worked?: FinishedWork<unknown>;
  /** Resolves or rejects: a refusal too may come from what an earlier one of the group wrote, and waits for the commit. */
  readonly tell: () => void;
}

/** The only writer of this process. Other processes on the same file are waited for without blocking the event loop. */
export class SqliteWriter {
  readonly #connection: SqliteConnection;
  readonly #tx: TxConnection;
  readonly #signals: Pick<Signals, "announce">;
  readonly #committed: () => void;
  readonly #queue: Job[] = [];
  #drained: Promise<void> | undefined;
  #closed = false;
  /** When another process last held the file. */
  #busyAt = Number.NEGATIVE_INFINITY;

  /** `committed` is called after each commit, before anybody hears of it. */
  constructor(file: string, committed: () => void, signals: Pick<Signals, "announce">) {
    this.#signals = signals;
    this.#committed = committed;
    this.#connection = new SqliteConnection(file, { readOnly: false });
    // SQLite itself must not wait: it would hold the whole process.
    this.#connection.raw.exec(
      `pragma busy_timeout = 10000; pragma journal_mode = wal; pragma synchronous = full;
       pragma wal_autocheckpoint = ${LOG_PAGES}; pragma busy_timeout = 0`,
    );
    this.#tx = { kysely: kyselyOver(this.#connection), statements: statementsOver(this.#connection) };
  }

  run<T>(work: (tx: Tx) => Promise<T>, sharesCommit: boolean): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#closed) return reject(new DatabaseUnavailable(new Error("closed")));
      this.#queue.push({ work, sharesCommit, resolve: resolve as (value: unknown) => void, reject });
      this.#drained ??= this.#drain();
    });
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      // A transaction runs without giving way to anybody: without this turn it would always be alone in its group.
      if (performance.now() - this.#busyAt > BUSY_MEMORY_MS) await yieldToWriters();
      else await sleep(PAUSE_AFTER_BUSY_MS);
      await this.#commitGroup();
    }
    this.#drained = undefined;
  }

  /** One `begin … commit` for the transactions that wait and those that come meanwhile; all but the first in savepoints. */
  async #commitGroup(): Promise<void> {
    try {
      await this.#exec("begin immediate");
    } catch (error) {
      for (const job of this.#queue.splice(0)) job.reject(toDatabaseError(error));
      return;
    }
    const commit = new CommitState();
    const closing = performance.now() + GROUP_MS;
    const done: Done[] = [];
    for (let size = 0; size < GROUP_SIZE && performance.now() < closing; size++) {
      // Between two of them others are heard: readers, and writers that may join.
      if (size > 0) await yieldToWriters();
      const [job] = this.#queue;
      if (!job) break;
      if (!job.sharesCommit && !(await this.#writeLastSteps(done))) return;
      this.#queue.shift();
      const outcome = await (size === 0 ? this.#runFirst(job, commit) : this.#runInSavepoint(job, commit));
      if (outcome) done.push(outcome);
      if (this.#connection.raw.isTransaction) continue;
      // The first one failed, or SQLite gave the whole transaction up (disk full, I/O error): all but the job that met
      // it run again.
      this.#queue.unshift(...done.map((item) => item.job));
      return;
    }
    if (await this.#writeLastSteps(done)) await this.#commit(done);
  }

  /** Those that wait for it, together. False when that failed: then nothing is left of the group, and each runs again alone. */
  async #writeLastSteps(done: Done[]): Promise<boolean> {
    const waiting = done.flatMap(({ worked }) => worked ?? []);
    if (waiting.length === 0) return true;
    try {
      await runLastSteps(waiting);
      for (const [i, { job, tell }] of done.entries()) done[i] = { job, tell };
      return true;
    } catch {
      if (this.#connection.raw.isTransaction) this.#connection.raw.exec("rollback");
      this.#queue.unshift(...done.map(({ job }) => ({ ...job, sharesCommit: false })));
      return false;
    }
  }

  async #commit(done: readonly Done[]): Promise<void> {
    try {
      await this.#exec("commit");
    } catch (error) {
      if (this.#connection.raw.isTransaction) this.#connection.raw.exec("rollback");
      for (const { job } of done) job.reject(toDatabaseError(error));
      return;
    }
    this.#committed();
    for (const { tell } of done) tell();
  }

  /** The first of a group needs no savepoint: there is nothing but its own work to undo. */
  async #runFirst(job: Job, commit: CommitState): Promise<Done | undefined> {
    try {
      return await this.#run(job, false, commit);
    } catch (error) {
      if (this.#connection.raw.isTransaction) this.#connection.raw.exec("rollback");
      job.reject(toDatabaseError(error));
      return undefined;
    }
  }

  async #runInSavepoint(job: Job, commit: CommitState): Promise<Done | undefined> {
    try {
      this.#connection.run("savepoint job", []);
      const done = await this.#run(job, true, commit);
      this.#connection.run("release job", []);
      return done;
    } catch (error) {
      const tell = () => job.reject(toDatabaseError(error));
      if (!this.#connection.raw.isTransaction) return void tell();
      this.#connection.raw.exec("rollback to job; release job");
      return { job, tell };
    }
  }

  async #run(job: Job, follows: boolean, commit: CommitState): Promise<Done> {
    const worked = await runWork(this.#tx, this.#signals, job.work, {
      follows: job.sharesCommit && follows,
      isShared: job.sharesCommit,
      commit: job.sharesCommit ? commit : new CommitState(),
    });
    await (job.sharesCommit ? runRefusing(worked) : runLastSteps([worked]));
    const tell = () => job.resolve(conclude(worked));
    return { job, tell, ...(job.sharesCommit && { worked }) };
  }

  async #exec(sql: string): Promise<void> {
    const deadline = performance.now() + MAX_WAIT_MS;
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

  /** After what is queued has been written. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#drained;
    this.#connection.close();
  }
}
