import type { Tx } from "../../db/database.ts";
import { mailBaseUrl } from "../../mail/mail-url.ts";
import { queueMail } from "../../mail/queue-mail.ts";
import type { Services } from "../../services.ts";
import { mailOriginOf, NO_WORKSPACE } from "../accounts/mail-origin.ts";
import { tellSecurity } from "./tell-security.ts";

interface AccountChange {
  readonly userId: string;
  readonly name: string;
  /** Where the person can be told: of a new address, the one before. */
  readonly email: string;
  /** What was done, as the audit log says it. */
  readonly words: string;
}

/**
 * Tells a person that the way into their account has changed, also by a mail that no setting holds back: whoever got in
 * could have changed that first.
 */
export async function tellAccountChange(app: Services, tx: Tx, change: AccountChange): Promise<void> {
  const { userId, name, email, words } = change;
  const origin = await mailOriginOf(tx, userId);
  if (origin.workspaceId !== NO_WORKSPACE)
    await tellSecurity({ ...app, mailer: undefined }, tx, { ...origin, userId, words });
  await queueMail(app, tx, { to: email, ...mailText(name, words, mailBaseUrl(app.config)) }, origin);
}

const mailText = (name: string, words: string, base: string) => ({
  subject: "Your account was changed",
  text: [
    `Hello ${name},`,
    `this was done with your account:\n\n> ${words}.`,
    `If it was you, there is nothing to do. If it was not, look at ${base}/account/security at once, end what you do not know, and set a new password; or ask whoever runs the server.`,
  ].join("\n\n"),
});
