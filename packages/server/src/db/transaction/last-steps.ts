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

/** The events come last of all that locks: the steps of views have lower ranks, each its own (`View.lastStepRank`). */
export const EVENT_RANK = 0;

/** What looks, under the lock of the counters, at what others have committed. It locks nothing more, and is never waited for. */
export const AFTER_EVENTS_RANK = 1;

/** Totals of knowledge bases. A transaction that changes one locks it (`keep`) first, so that it still exists here. */
export const PLACE_RANK = -0.5;

/**
 * Waits for steps of a transaction that have nothing to do with each other, so that their statements may be sent together.
 * Also when one fails the others are waited for: nothing may still be under way when the transaction is rolled back.
 */
export async function allOf(steps: readonly (Promise<unknown> | undefined)[]): Promise<void> {
  const failed = (await Promise.allSettled(steps)).find((outcome) => outcome.status === "rejected");
  if (failed) throw failed.reason;
}

/** Runs the last steps of the transactions that share a commit, in their order, together if possible. */
export async function runLastSteps(worked: readonly { readonly lastSteps: ReadonlySet<LastStep> }[]): Promise<void> {
  const steps: LastStep[] = [];
  const isLike = (step: LastStep) => (other: LastStep) =>
    other.rank === step.rank && other.workspaceId === step.workspaceId;
  for (const { lastSteps } of worked)
    for (const step of lastSteps) if (!steps.findLast(isLike(step))?.join(step)) steps.push(step);
  for (const step of steps.sort((a, b) => a.rank - b.rank)) await step.write();
}

/** Runs those last steps now that may refuse; the others are left. Its caller holds every lock already, so any order is safe. */
export async function runRefusing({ lastSteps }: { readonly lastSteps: Set<LastStep> }): Promise<void> {
  const refusing = [...lastSteps].filter(({ mayRefuse }) => mayRefuse);
  await runLastSteps([{ lastSteps: new Set(refusing) }]);
  for (const step of refusing) lastSteps.delete(step);
}
