import type { Tx } from "../../../db/database.ts";
import { mailBaseUrl } from "../../../mail/mail-url.ts";
import { queueMail } from "../../../mail/queue-mail.ts";
import type { Services } from "../../../services.ts";
import { DAY_MS } from "../../../time.ts";
import { AccountError } from "../accounts/account-error.ts";
import { takeOfWindow } from "../attempts/take-of-window.ts";
import { mailedLink } from "./mailed-link.ts";

/** Limit of invitation mails per workspace and day, so that no address can be flooded. */
const MAILS_PER_DAY = 100;

interface InvitationMail {
  readonly to: string;
  readonly secret: string;
  readonly workspace: { readonly id: string; readonly name: string };
  readonly inviter: { readonly userId: string; readonly name: string };
}

/** Queues the mail with an invitation link. */
export async function mailInvitation(app: Services, tx: Tx, { to, secret, workspace, inviter }: InvitationMail) {
  const wait = await takeOfWindow(tx, `invitation-mail:${workspace.id}`, MAILS_PER_DAY, DAY_MS, Date.now());
  if (wait > 0) throw new AccountError(`This workspace has sent ${MAILS_PER_DAY} invitations today: try again later.`);
  const mail = {
    to,
    subject: `${inviter.name} invites you to “${workspace.name}”`,
    text: [
      `${inviter.name} invites you to the workspace “${workspace.name}”. This link lets you in, once, within a week:`,
      `${mailBaseUrl(app.config)}/join/${mailedLink(app.secret, secret, to)}`,
      "If you do not know them, there is nothing to do.",
    ].join("\n\n"),
  };
  await queueMail(app, tx, mail, { workspaceId: workspace.id, createdBy: inviter.userId });
}
