import { CompiledQuery } from "kysely";
import type { Db } from "./database.ts";
import { postReady, runReady } from "./prepared.ts";

/**
 * The last thing that a transaction does before its commit. Counter rows that every writer of a workspace needs are
 * taken here, so that their lock is held for the commit alone.
 */
export interface LastStep {
  /** Lower ranks first. */
  readonly rank: number;
  readonly workspaceId: string;
  /** Whether it may yet refuse what the transaction did. */
  readonly mayRefuse: boolean;
  write(): Promise<void>;
  /**
   * Takes over what the step of a later transaction of the same commit, of its rank and workspace, would do; false if
   * that has to do it itself.
   */
  join(later: LastStep): boolean;
}

interface Hooks {
  readonly lastSteps: Set<LastStep>;
  readonly afterCommit: (() => void)[];
  /** Whether others come before it in the same commit. */
  readonly follows: boolean;
}

const hooksOf = new WeakMap<Db, Hooks>();

const get = (tx: Db): Hooks => {
  const hooks = hooksOf.get(tx);
  if (!hooks) throw new Error("Not inside a transaction.");
  return hooks;
};

/** Rows of the documents that were changed: it takes no counters. */
export const relationsRank = -2;

/** The index's counters are always taken before those of the events: no two transactions wait for each other. */
export const searchRank = -1;

export const eventRank = 0;

export const beforeCommit = (tx: Db, step: LastStep): void => void get(tx).lastSteps.add(step);

/** Whether the transaction's last steps are likely to be joined to those of one before it in the same commit. */
export const follows = (tx: Db): boolean => get(tx).follows;

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

/** What a transaction leaves for its commit. */
export interface Worked<T> {
  readonly result: T;
  readonly lastSteps: Set<LastStep>;
  /** To be run once the commit is durable. */
  readonly effects: readonly (() => void)[];
}

/** For the two drivers: runs all of a transaction but its last steps. */
export async function runWork<T>(tx: Db, work: (tx: Db) => Promise<T>, follows = false): Promise<Worked<T>> {
  const hooks: Hooks = { lastSteps: new Set(), afterCommit: [], follows };
  hooksOf.set(tx, hooks);
  return { result: await work(tx), lastSteps: hooks.lastSteps, effects: hooks.afterCommit };
}

/** For the two drivers, once the commit is durable: its effects happen, and its result may be told. */
export function conclude<T>({ result, effects }: Worked<T>): T {
  for (const effect of effects) effect();
  return result;
}

/** For the two drivers: runs the last steps of the transactions that share a commit, in their order, together if possible. */
export async function runLastSteps(worked: readonly { readonly lastSteps: ReadonlySet<LastStep> }[]): Promise<void> {
  const steps: LastStep[] = [];
  const isLike = (step: LastStep) => (other: LastStep) =>
    other.rank === step.rank && other.workspaceId === step.workspaceId;
  for (const { lastSteps } of worked)
    for (const step of lastSteps) if (!steps.findLast(isLike(step))?.join(step)) steps.push(step);
  for (const step of steps.sort((a, b) => a.rank - b.rank)) await step.write();
}

/** Runs the last steps now if one of them may refuse: for a caller that must know of it. */
export async function runIfRefusing(tx: Db): Promise<void> {
  const { lastSteps } = get(tx);
  if (![...lastSteps].some(({ mayRefuse }) => mayRefuse)) return;
  await runLastSteps([{ lastSteps }]);
  lastSteps.clear();
}

/** Runs those last steps now that may refuse; the others are left. For who holds all locks, so that their order is nothing. */
export async function runRefusing({ lastSteps }: Pick<Hooks, "lastSteps">): Promise<void> {
  const refusing = [...lastSteps].filter(({ mayRefuse }) => mayRefuse);
  await runLastSteps([{ lastSteps: new Set(refusing) }]);
  for (const step of refusing) lastSteps.delete(step);
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
  const before = { steps: [...hooks.lastSteps], effects: hooks.afterCommit.length };
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
    hooks.lastSteps.clear();
    for (const step of before.steps) hooks.lastSteps.add(step);
    hooks.afterCommit.length = before.effects;
    throw error;
  }
}
