import type { JobKind } from "../jobs/job.ts";
import { mailJobKind } from "../mail/queue-mail.ts";
import { notificationMailKind } from "./discussion/notifications/mail-job.ts";
import { notificationWebhookKind } from "./discussion/notifications/webhook-job.ts";
import { importJob } from "./exchange/import/import-job.ts";
import { forgottenPasswordKind } from "./identity/accounts/forgotten-password.ts";
import { translationJobKind } from "./knowledge/localization/jobs/run-job.ts";
import { summaryJobKind } from "./knowledge/summaries/model-job.ts";

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
