import { DatabaseUnavailable, type Tx } from "../database.ts";
import type { Signals } from "../signals.ts";
import { type LastStep, runLastSteps, runRefusing } from "./last-steps.ts";
import { CommitState } from "./lock-order.ts";
import { type CommitPosition, Transaction, type TxConnection } from "./transaction.ts";
import type { QueuedWrite } from "./write-queue.ts";

/** A database connection with an open transaction. */
export interface GroupConnection {
  readonly tx: TxConnection;
  savepoint(name: string): void;
  release(name: string): void;
  /** Undoes all changes since the savepoint. */
  undo(name: string): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /** No further statement is sent to it. */
  end(): void;
  /** Translates a failure for callers. */
  toFailure(error: unknown, commit: CommitState): unknown;
  /** Whether this failure ended the whole transaction. */
  isEnded(failure: unknown): boolean;
}

type Write = Pick<QueuedWrite, "work" | "isShared" | "isPatient">;

/** How a database commits groups. */
export interface GroupDialect {
  /**
   * The number of writes that share one commit, and so one flush to disk, and how many milliseconds the first may wait
   * for others, unless it is patient.
   */
  readonly maxWrites: number;
  readonly maxMs: number;
  readonly maxPatientMs: number;
  /** Whether last steps that may refuse run with their write. They would lock counters where writers lock rows. */
  readonly refusesEarly: boolean;
  readonly signals: Pick<Signals, "announce">;
  begin(): Promise<GroupConnection>;
  /** Lets others run between two writes. */
  pause?(): Promise<void>;
  /** Whether the same write may succeed when it runs again. */
  isConflict(failure: unknown): boolean;
}

/** The parts of a finished transaction that its commit needs. */
interface FinishedWork<T> {
  readonly result: T;
  readonly lastSteps: Set<LastStep>;
  /** Run once the commit is durable. */
  readonly effects: readonly (() => void)[];
}

/** Runs all of a transaction except its last steps. */
async function runWork<T>(
  connection: TxConnection,
  signals: Pick<Signals, "announce">,
  work: (tx: Tx) => Promise<T>,
  position: CommitPosition,
): Promise<FinishedWork<T>> {
  const tx = new Transaction(connection, signals, position);
  return { result: await work(tx), lastSteps: tx.lastSteps, effects: tx.effects };
}

/** Runs the effects of a durable transaction and returns its result. */
function conclude<T>({ result, effects }: FinishedWork<T>): T {
  for (const effect of effects) effect();
  return result;
}

/**
 * Runs writes one after the other in one database transaction: all but the first in savepoints, so that a failing one
 * undoes only itself, and their last steps together. A write that may not share runs its own last steps after those of
 * the writes before it.
 */
class CommitGroup {
  readonly writes: Write[] = [];
  /** For each write: returns its result or throws its refusal, once the group is durable. */
  readonly results: (() => unknown)[] = [];
  isCommitting = false;
  readonly #dialect: GroupDialect;
  /** Writes whose last steps have not run yet. */
  #waiting: FinishedWork<unknown>[] = [];
  readonly #shared = new CommitState();
  /** The state of the write that runs or ran last. */
  #commit = this.#shared;

  constructor(dialect: GroupDialect) {
    this.#dialect = dialect;
  }

  async run(first: Write, next: () => Write | undefined): Promise<void> {
    this.writes.push(first);
    const connection = await this.#dialect.begin();
    try {
      await this.#runWrites(connection, first, next);
      await this.#writeLastSteps();
      this.isCommitting = true;
      await connection.commit();
    } catch (error) {
      const failure = connection.toFailure(error, this.#commit);
      await connection.rollback();
      throw failure;
    } finally {
      connection.end();
    }
  }

  async #runWrites(connection: GroupConnection, first: Write, next: () => Write | undefined): Promise<void> {
    const { maxWrites, maxMs, maxPatientMs } = this.#dialect;
    const closing = performance.now() + (first.isPatient ? maxPatientMs : maxMs);
    this.results.push(await this.#run(connection, first));
    while (this.writes.length < maxWrites && performance.now() < closing) {
      if (this.#dialect.pause) await this.#dialect.pause();
      const write = next();
      if (!write) return;
      this.writes.push(write);
      if (!write.isShared) await this.#writeLastSteps();
      this.results.push(await this.#runInSavepoint(connection, write));
    }
  }

  /**
   * Each savepoint has its own name: if the failing statement was enqueued by an earlier write, no savepoint of this
   * name exists, and the whole group fails.
   */
  async #runInSavepoint(connection: GroupConnection, write: Write): Promise<() => unknown> {
    const name = `write${this.writes.length}`;
    connection.savepoint(name);
    try {
      const result = await this.#run(connection, write);
      connection.release(name);
      return result;
    } catch (error) {
      const failure = connection.toFailure(error, this.#commit);
      if (connection.isEnded(failure)) throw failure;
      await connection.undo(name);
      return () => {
        throw failure;
      };
    }
  }

  async #run({ tx }: GroupConnection, { work, isShared }: Write): Promise<() => unknown> {
    const { signals, refusesEarly } = this.#dialect;
    this.#commit = isShared ? this.#shared : new CommitState();
    const isJoiningCommit = isShared && this.writes.length > 1;
    const finished = await runWork(tx, signals, work, { isJoiningCommit, isShared, commit: this.#commit });
    if (!isShared) await runLastSteps([finished]);
    else if (refusesEarly) await runRefusing(finished);
    if (isShared) this.#waiting.push(finished);
    return () => conclude(finished);
  }

  async #writeLastSteps(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    if (waiting.length > 0) await runLastSteps(waiting);
  }
}

/** Runs one write in its own transaction. */
export async function commitAlone<T>(dialect: GroupDialect, work: (tx: Tx) => Promise<T>): Promise<T> {
  const group = new CommitGroup(dialect);
  await group.run({ work, isShared: false, isPatient: false }, () => undefined);
  return group.results[0]?.() as T;
}

/**
 * Runs a write together with those that `next` returns; each gets its result when the commit is durable. A refusal may
 * also depend on what an earlier write of the group wrote, so it waits for the commit as well. After a failure of the
 * group, each write runs again `alone`, unless the database was lost during the commit: then nobody knows whether it
 * happened.
 */
export async function commitTogether(
  dialect: GroupDialect,
  alone: (work: (tx: Tx) => Promise<unknown>) => Promise<unknown>,
  first: QueuedWrite,
  next: () => QueuedWrite | undefined,
): Promise<void> {
  const group = new CommitGroup(dialect);
  const writes = [first];
  const nextOne = (): QueuedWrite | undefined => {
    const write = next();
    if (write) writes.push(write);
    return write;
  };
  try {
    await group.run(first, nextOne);
  } catch (failure) {
    const isOwn = writes.length === 1 && !dialect.isConflict(failure);
    const isUnknown = group.isCommitting && failure instanceof DatabaseUnavailable;
    if (isOwn || isUnknown) for (const { reject } of writes) reject(failure);
    else await runEachAlone(writes, alone);
    return;
  }
  for (const [i, { resolve, reject }] of writes.entries())
    try {
      resolve(group.results[i]?.());
    } catch (refusal) {
      reject(refusal);
    }
}

/** Runs them in order. If the database is away, the first failure counts for all. */
async function runEachAlone(
  writes: readonly QueuedWrite[],
  alone: (work: (tx: Tx) => Promise<unknown>) => Promise<unknown>,
): Promise<void> {
  let away: DatabaseUnavailable | undefined;
  for (const { work, resolve, reject } of writes)
    try {
      if (away) throw away;
      resolve(await alone(work));
    } catch (error) {
      if (error instanceof DatabaseUnavailable) away = error;
      reject(error);
    }
}
