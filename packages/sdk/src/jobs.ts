import type { Answer, Client } from "./client.ts";
import { JobError } from "./errors.ts";
import { sleep } from "./time.ts";

export type JobPath = "/import-jobs/{id}" | "/summary-jobs/{id}" | "/translation-jobs/{id}";
export type JobOf<P extends JobPath> = Answer<P> extends { data: infer Job } ? Job : never;

export interface WaitOptions<Job> {
  readonly signal?: AbortSignal | undefined;
  /** Told about the job each time it was asked about. */
  readonly onProgress?: ((job: Job) => void) | undefined;
  /** The longest wait between two questions; it begins with a tenth of it. */
  readonly pollMs?: number | undefined;
}

const POLL_MS = 2_000;

/** Waits until a job has succeeded and answers it; a job that ended otherwise is thrown as a `JobError`. */
export async function waitForJob<P extends JobPath>(
  client: Client,
  path: P,
  id: string,
  { signal, onProgress, pollMs = POLL_MS }: WaitOptions<JobOf<P>> = {},
): Promise<JobOf<P>> {
  for (let waitMs = pollMs / 10; ; waitMs = Math.min(pollMs, waitMs * 1.5)) {
    const { data: job } = await client.get(path as JobPath, { path: { id }, signal });
    onProgress?.(job as JobOf<P>);
    if (job.status === "succeeded") return job as JobOf<P>;
    if (job.status === "failed" || job.status === "obsolete") throw new JobError(job);
    await sleep(waitMs, signal);
  }
}
