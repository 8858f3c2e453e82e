import { DatabaseUnavailable } from "../database.ts";
import type { Signals } from "../signals.ts";
import { conclude, type FinishedWork, runLastSteps, runWork } from "../transaction/last-steps.ts";
import { CommitState } from "../transaction/lock-order.ts";
import type { TxPlace } from "../transaction/transaction.ts";
import type { QueuedWrite } from "../transaction/write-queue.ts";
import { BEGIN, type PostgresConnection } from "./connection.ts";
import { asConflict, isConflict } from "./errors.ts";

/** How many writers share one commit, and so one flush to disk; and how long the first may wait for the others. */
const GROUP_SIZE = 16;
const GROUP_MS = 20;

/** The transactions that ran, each with what it comes to once the group is durable. */
interface Done {
  readonly worked?: FinishedWork<unknown>;
  /** Resolves or rejects: a refusal too may come from what an earlier one wrote, and waits for the commit. */
  readonly tell: () => void;
}

/**
 * Runs transactions one after the other in one of PostgreSQL's: all but the first in savepoints, so that one that fails
 * undoes itself alone, and their last steps together. Where it is not one's own failure, each of them runs again
 * `alone`; not so when the connection was lost with the commit under way, for then nobody knows whether it took place.
 */
export async function commitTogether(
  take: () => Promise<PostgresConnection>,
  alone: (write: QueuedWrite) => Promise<unknown>,
  first: QueuedWrite,
  next: () => QueuedWrite | undefined,
  signals: Pick<Signals, "announce">,
): Promise<void> {
  const writes = [first];
  const done: Done[] = [];
  const commit = new CommitState();
  let isCommitting = false;
  try {
    const connection = await take();
    const closing = performance.now() + GROUP_MS;
    try {
      connection.enqueue(BEGIN);
      done.push(await run(connection, signals, first, { follows: false, isShared: first.isShared, commit }));
      while (writes.length < GROUP_SIZE && performance.now() < closing) {
        const write = next();
        if (!write) break;
        writes.push(write);
        done.push(await runInSavepoint(connection, signals, write, commit, `write${writes.length}`));
      }
      await runLastSteps(done.flatMap(({ worked }) => worked ?? []));
      isCommitting = true;
      await connection.commit();
    } catch (error) {
      await connection.rollback();
      throw asConflict(error, commit);
    } finally {
      connection.release();
    }
  } catch (error) {
    const isOwn = writes.length === 1 && !isConflict(error);
    const isUnknown = isCommitting && error instanceof DatabaseUnavailable;
    if (isOwn || isUnknown) for (const { reject } of writes) reject(error);
    else await eachAlone(writes, alone);
    return;
  }
  for (const { tell } of done) tell();
}

async function run(
  connection: PostgresConnection,
  signals: Pick<Signals, "announce">,
  write: QueuedWrite,
  place: TxPlace,
): Promise<Done> {
  const worked = await runWork(connection.tx, signals, write.work, place);
  return { worked, tell: () => write.resolve(conclude(worked)) };
}

/**
 * Each savepoint has a name of its own: where a statement that an earlier one had posted is what failed, there is none of
 * this name, and the whole group fails.
 */
async function runInSavepoint(
  connection: PostgresConnection,
  signals: Pick<Signals, "announce">,
  write: QueuedWrite,
  commit: CommitState,
  name: string,
): Promise<Done> {
  connection.enqueue(`savepoint ${name}`);
  try {
    return await run(connection, signals, write, { follows: true, isShared: true, commit });
  } catch (error) {
    const failure = asConflict(error, commit);
    if (isConflict(failure) || failure instanceof DatabaseUnavailable) throw failure;
    await connection.run(`rollback to savepoint ${name}`);
    return { tell: () => write.reject(error) };
  }
}

/** In order. When the database is away the first finds out for all. */
async function eachAlone(
  writes: readonly QueuedWrite[],
  alone: (write: QueuedWrite) => Promise<unknown>,
): Promise<void> {
  let away: DatabaseUnavailable | undefined;
  for (const write of writes)
    try {
      if (away) throw away;
      write.resolve(await alone(write));
    } catch (error) {
      if (error instanceof DatabaseUnavailable) away = error;
      write.reject(error);
    }
}
