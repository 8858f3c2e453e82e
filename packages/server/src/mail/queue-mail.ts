import type { Tx } from "../db/database.ts";
import { newId } from "../ids.ts";
import { failed, type JobKind } from "../jobs/job.ts";
import { insertJob } from "../jobs/queries.ts";
import type { Mail } from "../ports/mail/mailer.ts";
import type { Services } from "../services.ts";
import { seal, unseal } from "./sealed.ts";
import { forgetPayload, mailRetries, sendMail } from "./send-mail.ts";

const MAIL_JOB = "mail";

/** The workspace and the user of a mail's job. For a mail outside any workspace, the workspace id is a placeholder. */
interface MailOrigin {
  readonly workspaceId: string;
  readonly createdBy: string;
}

/**
 * Queues a mail. It is sent after this transaction has committed, and again while the mail server is away. Returns
 * false if no mail server is configured: then nothing is queued, and the caller must not promise a mail.
 */
export async function queueMail(
  app: Pick<Services, "mailer" | "secret" | "wakeJobs">,
  tx: Tx,
  mail: Mail,
  { workspaceId, createdBy }: MailOrigin,
): Promise<boolean> {
  if (!app.mailer) return false;
  const payload = { sealed: seal(app.secret, JSON.stringify(mail)) };
  await insertJob(tx, { workspaceId, id: newId("mail"), kind: MAIL_JOB, payload, createdBy }, app.wakeJobs);
  return true;
}

export const mailJobKind: JobKind = {
  kind: MAIL_JOB,
  retries: mailRetries,
  run: async (job, app) => {
    const mail = unseal(app.secret, JSON.parse(job.payload).sealed);
    const end = mail === undefined ? unreadable : await sendMail(app, job, JSON.parse(mail));
    return async (tx) => {
      await forgetPayload(tx, job);
      return end;
    };
  },
  abandon: async (job, { database }) => {
    await database.transaction((tx) => forgetPayload(tx, job));
  },
};

const unreadable = failed("mail_unreadable", "The server's secret was changed before the mail went out.");
