import type { Tx } from "../../../db/database.ts";
import { mailBaseUrl } from "../../../mail/mail-url.ts";
import { queueMail } from "../../../mail/queue-mail.ts";
import type { Services } from "../../../services.ts";
import { mailOriginOf, NO_WORKSPACE } from "../../identity/accounts/mail-origin.ts";
import { notifySecurityEvent } from "./notify-security.ts";

interface AccountChange {
  readonly userId: string;
  readonly name: string;
  /** The address to notify; after a change of address, the previous one. */
  readonly email: string;
  /** The action, as in the audit log. */
  readonly words: string;
}

/**
 * Notifies a person of changed sign-in methods, with a mail that no setting suppresses: an intruder could have changed
 * the setting first.
 */
export async function notifyAccountChange(app: Services, tx: Tx, change: AccountChange): Promise<void> {
  const { userId, name, email, words } = change;
  const origin = await mailOriginOf(tx, userId);
  if (origin.workspaceId !== NO_WORKSPACE)
    await notifySecurityEvent({ ...app, mailer: undefined }, tx, { ...origin, userId, words });
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
