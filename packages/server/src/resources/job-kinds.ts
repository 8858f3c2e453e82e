import type { JobKind } from "../jobs/job.ts";

/** Every kind of background job. */
export const jobKinds: readonly JobKind[] = [];
