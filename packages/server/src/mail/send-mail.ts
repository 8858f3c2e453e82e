import type { Tx } from "../db/database.ts";
import type { JobRow } from "../db/schema/tables/jobs.ts";
import { failed, type JobEnd, obsolete, succeeded } from "../jobs/job.ts";
import { type Mail, MailError } from "../ports/mail/mailer.ts";
import type { Services } from "../services.ts";

/** A mail is retried for about eight hours. */
export const mailRetries = { attempts: 40, longestPauseMs: 15 * 60_000 } as const;

/** Sends a job's mail. Throws on a temporary failure, so that the job tries again. */
export async function sendMail(app: Pick<Services, "mailer">, job: JobRow, mail: Mail): Promise<JobEnd> {
  if (!app.mailer) return obsolete("No mail server is configured any more.");
  try {
    await app.mailer.send(mail, job.id);
    return succeeded({});
  } catch (error) {
    if (error instanceof MailError && error.isFinal) return failed("mail_refused", error.message);
    throw error;
  }
}

/** Deletes the text of a mail once its job has ended. */
export const forgetPayload = (tx: Tx, { workspace_id, id }: Pick<JobRow, "workspace_id" | "id">) =>
  tx.updateTable("jobs").set({ payload: "{}" }).where("workspace_id", "=", workspace_id).where("id", "=", id).execute();
