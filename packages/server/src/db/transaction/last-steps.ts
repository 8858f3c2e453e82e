/**
 * The last steps before a commit, in the order in which they run: the index is the rank. Every transaction locks the
 * rows of its last steps in this order, so no two transactions wait for each other in a circle.
 */
export const LAST_STEP_ORDER = [
  "relations",
  "search",
  /** A transaction that changes the totals of a knowledge base locks it (`keep`) first, so it still exists here. */
  "knowledge-base-totals",
  /** Events are the last step that takes locks. */
  "events",
  /** Reads what others have committed, under the lock on the counters. Takes no further locks. */
  "after-events",
] as const;

export type LastStepName = (typeof LAST_STEP_ORDER)[number];

/**
 * A step that a transaction runs just before its commit. These steps take the counter rows that every writer of a
 * workspace needs, so that the rows are locked during the commit only.
 */
export interface LastStep {
  readonly name: LastStepName;
  readonly workspaceId: string;
  /** Whether it may still refuse the transaction. */
  readonly mayRefuse: boolean;
  write(): Promise<void>;
  /**
   * Takes over the work of `later`, the step with the same name and workspace of a later transaction in the same commit.
   * Returns false if `later` has to do it itself.
   */
  join(later: LastStep): boolean;
}

const rankOf = ({ name }: LastStep): number => LAST_STEP_ORDER.indexOf(name);

/**
 * Waits for independent steps of a transaction, so that their statements may be sent together. If one fails, it still
 * waits for the others: nothing may be under way when the transaction is rolled back.
 */
export async function allOf(steps: readonly (Promise<unknown> | undefined)[]): Promise<void> {
  const failed = (await Promise.allSettled(steps)).find((outcome) => outcome.status === "rejected");
  if (failed) throw failed.reason;
}

/** Runs the last steps of all transactions that share a commit, in order, joining them if possible. */
export async function runLastSteps(worked: readonly { readonly lastSteps: ReadonlySet<LastStep> }[]): Promise<void> {
  const steps: LastStep[] = [];
  const isLike = (step: LastStep) => (other: LastStep) =>
    other.name === step.name && other.workspaceId === step.workspaceId;
  for (const { lastSteps } of worked)
    for (const step of lastSteps) if (!steps.findLast(isLike(step))?.join(step)) steps.push(step);
  for (const step of steps.sort((a, b) => rankOf(a) - rankOf(b))) await step.write();
}

/** Runs now the last steps that may refuse and leaves the others. The caller holds every lock, so any order is safe. */
export async function runRefusing({ lastSteps }: { readonly lastSteps: Set<LastStep> }): Promise<void> {
  const refusing = [...lastSteps].filter(({ mayRefuse }) => mayRefuse);
  await runLastSteps([{ lastSteps: new Set(refusing) }]);
  for (const step of refusing) lastSteps.delete(step);
}
