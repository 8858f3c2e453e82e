import type { JobKind } from "../jobs/job.ts";
import { mailJobKind } from "../mail/queue-mail.ts";
import { forgottenPasswordKind } from "./accounts/forgotten-password.ts";
import { importJob } from "./import/import-job.ts";
import { translationJobKind } from "./localization/jobs/run-job.ts";
import { notificationMailKind } from "./notifications/mail-job.ts";
import { notificationWebhookKind } from "./notifications/webhook-job.ts";
import { summaryJobKind } from "./summaries/model-job.ts";

/** Every kind of background job. */
export const jobKinds: readonly JobKind[] = [
  importJob,
  summaryJobKind,
  translationJobKind,
  mailJobKind,
  forgottenPasswordKind,
  notificationMailKind,
  notificationWebhookKind,
];
