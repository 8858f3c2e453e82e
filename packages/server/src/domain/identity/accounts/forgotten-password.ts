import type { Tx } from "../../../db/database.ts";
import { recordAudit } from "../../../http/audit.ts";
import { BROWSER } from "../../../http/callers/caller.ts";
import { newId } from "../../../ids.ts";
import { type JobKind, succeeded } from "../../../jobs/job.ts";
import { insertJob } from "../../../jobs/queries.ts";
import { mailBaseUrl } from "../../../mail/mail-url.ts";
import { queueMail } from "../../../mail/queue-mail.ts";
import { seal, unseal } from "../../../mail/sealed.ts";
import { forgetPayload } from "../../../mail/send-mail.ts";
import type { Services } from "../../../services.ts";
import { takeOfWindow } from "../attempts/take-of-window.ts";
import { auditWords } from "./audit-words.ts";
import { mailOriginOf, NO_WORKSPACE } from "./mail-origin.ts";
import { offerReset } from "./password-reset.ts";
import { findUserByEmail } from "./queries.ts";

const KIND = "forgotten_password";
const HOUR_MS = 60 * 60_000;
/** Limit of reset mails per account and hour. */
const MAILS_PER_HOUR = 3;

/**
 * Requests a reset link for the address. The job looks up whether it has an account, so that neither the response nor
 * its timing reveals it.
 */
export const askForReset = (app: Pick<Services, "database" | "secret" | "wakeJobs">, email: string): Promise<unknown> =>
  app.database.transaction((tx) => {
    const payload = { sealed: seal(app.secret, email) };
    const job = { workspaceId: NO_WORKSPACE, id: newId("mail"), kind: KIND, payload, createdBy: "" };
    return insertJob(tx, job, app.wakeJobs);
  });

export const forgottenPasswordKind: JobKind = {
  kind: KIND,
  run: async (job, app) => {
    const email = unseal(app.secret, JSON.parse(job.payload).sealed);
    return async (tx) => {
      if (email !== undefined) await mailLink(app, tx, email);
      await forgetPayload(tx, job);
      return succeeded({});
    };
  },
  abandon: async (job, { database }) => {
    await database.transaction((tx) => forgetPayload(tx, job));
  },
};

async function mailLink(app: Services, tx: Tx, email: string): Promise<void> {
  const user = await findUserByEmail(tx, email);
  if (!user || user.disabled_at !== null || !app.mailer) return;
  if ((await takeOfWindow(tx, `reset-mail:${user.id}`, MAILS_PER_HOUR, HOUR_MS, Date.now())) > 0) return;
  const { secret } = await offerReset(tx, user.id, { lifeMs: HOUR_MS, mailedTo: email });
  const origin = await mailOriginOf(tx, user.id);
  await queueMail(app, tx, resetMail(email, user.name, `${mailBaseUrl(app.config)}/reset/${secret}`), origin);
  if (origin.workspaceId === NO_WORKSPACE) return;
  const who = { workspaceId: origin.workspaceId, userId: user.id, tokenId: null };
  const request = { id: newId("req"), path: "/forgotten", client: BROWSER };
  const summary = auditWords.resetMailed(user.name);
  await recordAudit(tx, who, request, { action: "mail_reset", status: 200, summary });
}

const resetMail = (to: string, name: string, url: string) => ({
  to,
  subject: "A new password",
  text: [
    `Hello ${name},`,
    "somebody, we hope you, asked for a new password for your account. This link sets one, once, within an hour:",
    url,
    "If it was not you, there is nothing to do: your password stays as it is.",
  ].join("\n\n"),
});
