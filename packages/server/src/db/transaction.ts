import { sql } from "kysely";
import type { Db } from "./database.ts";
import type { Ready } from "./prepared.ts";
import { runTogether } from "./together.ts";

interface LastStep {
  readonly run: () => Promise<void>;
  readonly rank: number;
}

interface Hooks {
  readonly beforeCommit: Map<unknown, LastStep>;
  readonly afterCommit: (() => void)[];
  readonly atEnd: Ready<unknown>[];
}

const hooksOf = new WeakMap<Db, Hooks>();

const get = (tx: Db): Hooks => {
  const hooks = hooksOf.get(tx);
  if (!hooks) throw new Error("Not inside a transaction.");
  return hooks;
};

/** The index's counters are always taken before those of the events: no two transactions wait for each other. */
export const searchRank = -1;

/**
 * Runs `run` as the last thing before the commit, once per `key`, lower ranks first. Counter rows that every writer of
 * a workspace needs are taken here, so that their lock is held for the commit alone.
 */
export const beforeCommit = (tx: Db, key: unknown, run: () => Promise<void>, rank = 0): void => {
  get(tx).beforeCommit.set(key, { run, rank });
};

/**
 * Leaves a statement for the end of the transaction, where it is run together with others. For rows that nothing in the
 * transaction reads or changes again.
 */
export const runAtEnd = (tx: Db, statement: Ready<unknown>): void => void get(tx).atEnd.push(statement);

/** Runs a statement of the last steps, and with it what was left for the end. */
export const runWithEnd = <Row>(tx: Db, statement: Ready<Row>): Promise<Row[]> =>
  runTogether(tx, get(tx).atEnd.splice(0), statement);

/** Runs `effect` when the transaction is durable; never when it was rolled back. */
export const afterCommit = (tx: Db, effect: () => void): void => {
  get(tx).afterCommit.push(effect);
};

/** For the two drivers: runs `work` and its last steps, and gives back the effects to run once the commit is durable. */
export async function runWork<T>(
  tx: Db,
  work: (tx: Db) => Promise<T>,
): Promise<{ result: T; effects: (() => void)[] }> {
  const hooks: Hooks = { beforeCommit: new Map(), afterCommit: [], atEnd: [] };
  hooksOf.set(tx, hooks);
  const result = await work(tx);
  await runLastSteps(tx);
  return { result, effects: hooks.afterCommit };
}

/** Runs the last steps now: for a caller that must know whether they succeed. */
export async function runLastSteps(tx: Db): Promise<void> {
  const { beforeCommit, atEnd } = get(tx);
  const steps = [...beforeCommit.values()].sort((a, b) => a.rank - b.rank);
  beforeCommit.clear();
  for (const { run } of steps) await run();
  const left = atEnd.pop();
  if (left) await runWithEnd(tx, left);
}

/**
 * Runs `work` so that its failure undoes its own changes only, and the transaction goes on. The failure is thrown
 * again. (On PostgreSQL a failed statement would otherwise spoil the whole transaction.)
 */
export async function attempt<T>(tx: Db, work: () => Promise<T>): Promise<T> {
  const hooks = get(tx);
  const before = {
    steps: new Map(hooks.beforeCommit),
    effects: hooks.afterCommit.length,
    atEnd: [...hooks.atEnd],
  };
  await sql`savepoint attempt`.execute(tx);
  try {
    const result = await work();
    await sql`release savepoint attempt`.execute(tx);
    return result;
  } catch (error) {
    // Where the database has given the whole transaction up there is no savepoint left; the first failure says why.
    await sql`rollback to savepoint attempt`.execute(tx).catch(() => {
      throw error;
    });
    hooks.beforeCommit.clear();
    for (const [key, step] of before.steps) hooks.beforeCommit.set(key, step);
    hooks.afterCommit.length = before.effects;
    hooks.atEnd.splice(0, hooks.atEnd.length, ...before.atEnd);
    throw error;
  }
}
