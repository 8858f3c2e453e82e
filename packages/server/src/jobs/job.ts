import type { Tx } from "../db/database.ts";
import type { JobRow } from "../db/schema/tables/jobs.ts";
import type { Services } from "../services.ts";
import type { JobControl } from "./job-control.ts";

/** The result of a job. */
export interface JobEnd {
  readonly status: "succeeded" | "failed" | "obsolete";
  readonly result?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
}

/**
 * A kind of background work. `run` does the slow part without a transaction, possibly more than once; the function that
 * it returns commits the effect together with the job's end, exactly once.
 */
export interface JobKind {
  readonly kind: string;
  /**
   * How often it is tried after unexpected failures, and the longest pause in between; the runner's defaults if
   * undefined.
   */
  readonly retries?: { readonly attempts: number; readonly longestPauseMs: number };
  run(job: JobRow, app: Services, control: JobControl): Promise<(tx: Tx) => Promise<JobEnd>>;
  /** Removes leftovers of attempts when there will be no further one. */
  abandon?(job: JobRow, app: Services): Promise<void>;
}

export const failed = (code: string, message: string): JobEnd => ({ status: "failed", error: { code, message } });
export const succeeded = (result: unknown): JobEnd => ({ status: "succeeded", result });
export const obsolete = (message: string): JobEnd => ({ status: "obsolete", error: { code: "obsolete", message } });
