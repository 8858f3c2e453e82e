import type { Tx } from "../db/database.ts";
import type { JobRow } from "../db/schema/tables/jobs.ts";
import type { Services } from "../services.ts";

/** How a job ended. */
export interface JobEnd {
  readonly status: "succeeded" | "failed" | "obsolete";
  readonly result?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
}

/** What a running job may do beside its work. */
export interface JobControl {
  /** Aborts when the process stops or another process has taken the job over. */
  readonly signal: AbortSignal;
  /** Shown by the job's GET endpoint. */
  report(progress: Readonly<Record<string, unknown>>): Promise<void>;
}

/**
 * A kind of background work. `run` does the slow part without a transaction, possibly more than once; what it returns
 * commits the effect together with the job's end, exactly once.
 */
export interface JobKind {
  readonly kind: string;
  /** How often it is tried after failures that nobody foresaw, and how long it waits at most in between; the runner's own when left out. */
  readonly retries?: { readonly attempts: number; readonly longestPauseMs: number };
  run(job: JobRow, app: Services, control: JobControl): Promise<(tx: Tx) => Promise<JobEnd>>;
  /** Takes away what attempts have left, when there will be no further one. */
  abandon?(job: JobRow, app: Services): Promise<void>;
}

export const failed = (code: string, message: string): JobEnd => ({ status: "failed", error: { code, message } });
export const succeeded = (result: unknown): JobEnd => ({ status: "succeeded", result });
export const obsolete = (message: string): JobEnd => ({ status: "obsolete", error: { code: "obsolete", message } });
