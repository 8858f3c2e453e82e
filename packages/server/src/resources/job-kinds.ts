import type { JobKind } from "../jobs/job.ts";
import { importJob } from "./import/import-job.ts";
import { summaryJobKind } from "./summaries/model-job.ts";

/** Every kind of background job. */
export const jobKinds: readonly JobKind[] = [summaryJobKind, importJob];
