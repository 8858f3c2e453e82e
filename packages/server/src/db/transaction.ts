import { CompiledQuery } from "kysely";
import type { Db } from "./database.ts";
import { postReady, runReady } from "./prepared.ts";

interface LastStep {
  readonly run: () => Promise<void>;
  readonly rank: number;
}

interface Hooks {
  readonly beforeCommit: Map<unknown, LastStep>;
  readonly afterCommit: (() => void)[];
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
 * Waits for steps of a transaction that have nothing to do with each other, so that their statements may be sent together.
 * Also when one fails the others are waited for: nothing may still be under way when the transaction is rolled back.
 */
export async function allOf(steps: readonly (Promise<unknown> | undefined)[]): Promise<void> {
  const failed = (await Promise.allSettled(steps)).find((outcome) => outcome.status === "rejected");
  if (failed) throw failed.reason;
}

/** Runs `effect` when the transaction is durable; never when it was rolled back. */
export const afterCommit = (tx: Db, effect: () => void): void => {
  get(tx).afterCommit.push(effect);
};

/** For the two drivers: runs `work` and its last steps, and gives back the effects to run once the commit is durable. */
export async function runWork<T>(
  tx: Db,
  work: (tx: Db) => Promise<T>,
): Promise<{ result: T; effects: (() => void)[] }> {
  const hooks: Hooks = { beforeCommit: new Map(), afterCommit: [] };
  hooksOf.set(tx, hooks);
  const result = await work(tx);
  await runLastSteps(tx);
  return { result, effects: hooks.afterCommit };
}

/** Runs the last steps now: for a caller that must know whether they succeed. */
export async function runLastSteps(tx: Db): Promise<void> {
  const { beforeCommit } = get(tx);
  const steps = [...beforeCommit.values()].sort((a, b) => a.rank - b.rank);
  beforeCommit.clear();
  for (const { run } of steps) await run();
}

const savepoint = CompiledQuery.raw("savepoint attempt");
const release = CompiledQuery.raw("release savepoint attempt");
const undo = CompiledQuery.raw("rollback to savepoint attempt");

/**
 * Runs `work` so that its failure undoes its own changes only, and the transaction goes on. The failure is thrown
 * again. A statement that was posted may fail only later, and then fails the transaction.
 */
export async function attempt<T>(tx: Db, work: () => Promise<T>): Promise<T> {
  const hooks = get(tx);
  const before = { steps: new Map(hooks.beforeCommit), effects: hooks.afterCommit.length };
  await postReady(tx, savepoint, []);
  try {
    const result = await work();
    await postReady(tx, release, []);
    return result;
  } catch (error) {
    // Where the database has given the whole transaction up there is no savepoint left; the first failure says why.
    await runReady(tx, undo, []).catch(() => {
      throw error;
    });
    hooks.beforeCommit.clear();
    for (const [key, step] of before.steps) hooks.beforeCommit.set(key, step);
    hooks.afterCommit.length = before.effects;
    throw error;
  }
}
