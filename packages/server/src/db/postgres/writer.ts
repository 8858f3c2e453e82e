import { setTimeout as sleep } from "node:timers/promises";
import { DatabaseUnavailable, TransactionOutdated, type Tx, type WriteOptions } from "../database.ts";
import type { Signals } from "../signals.ts";
import { commitAlone, commitTogether, type GroupConnection, type GroupDialect } from "../transaction/commit-group.ts";
import { WriteQueue } from "../transaction/write-queue.ts";
import { BEGIN, type PostgresConnection } from "./connection.ts";
import { asConflict, isConflict } from "./errors.ts";

/** More than the number of connections, because each may hold statements of an older schema. */
const MAX_ATTEMPTS = 20;
/** After this many outdated reads the retry is a bug; give up. */
const MAX_OUTDATED = 5;
const GROUP_SIZE = 16;
const GROUP_MS = 20;
const PATIENT_GROUP_MS = 500;

/** Runs the write transactions of this process. Writes of one group share a transaction on a connection of the pool. */
export class PostgresWriter {
  readonly #dialect: GroupDialect;
  readonly #queue: WriteQueue;

  /** `begin` starts each transaction; a commit without an answer within `waitMs` is given up. */
  constructor(
    take: () => Promise<PostgresConnection>,
    signals: Pick<Signals, "announce">,
    waitMs: number,
    begin: readonly string[] = [BEGIN],
  ) {
    this.#dialect = {
      maxWrites: GROUP_SIZE,
      maxMs: GROUP_MS,
      maxPatientMs: PATIENT_GROUP_MS,
      refusesEarly: false,
      signals,
      begin: async () => groupConnection(await take(), begin, waitMs),
      isConflict,
    };
    this.#queue = new WriteQueue(
      (first, next) => commitTogether(this.#dialect, (work) => this.#alone(work), first, next),
      waitMs,
    );
  }

  run<T>(work: (tx: Tx) => Promise<T>, options: WriteOptions): Promise<T> {
    const isAlone = options.queueKey === undefined && options.group === undefined;
    return isAlone ? this.#alone(work) : this.#queue.run(work, options);
  }

  /** Retries when another transaction was in the way. */
  async #alone<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await commitAlone(this.#dialect, work);
      } catch (error) {
        if (!isConflict(error) || (error instanceof TransactionOutdated && tries === MAX_OUTDATED)) throw error;
        if (tries === MAX_ATTEMPTS) throw new DatabaseUnavailable(error);
        await sleep(Math.random() * 5 * 2 ** Math.min(tries, 7));
      }
    }
  }
}

/**
 * The first statement is sent with the `begin` and the last ones with the `commit`. Savepoints end with the
 * transaction.
 */
function groupConnection(connection: PostgresConnection, begin: readonly string[], waitMs: number): GroupConnection {
  for (const text of begin) connection.enqueue(text);
  return {
    tx: connection.tx,
    savepoint: (name) => connection.enqueue(`savepoint ${name}`),
    release: () => undefined,
    undo: async (name) => void (await connection.run(`rollback to savepoint ${name}`)),
    commit: () => connection.commit(waitMs),
    rollback: () => connection.rollback(),
    end: () => connection.release(),
    toFailure: asConflict,
    isEnded: (failure) => isConflict(failure) || failure instanceof DatabaseUnavailable,
  };
}
