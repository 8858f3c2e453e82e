import { messagePage } from "@svc/web/server/pages/message";
import { resetPage, signInOncePage } from "@svc/web/server/pages/sign-in/reset";
import { notifyAccountChange } from "../../../domain/discussion/notifications/notify-account-change.ts";
import { auditWords } from "../../../domain/identity/accounts/audit-words.ts";
import { hashPassword } from "../../../domain/identity/accounts/password.ts";
import { findReset, provesEmail, takeReset } from "../../../domain/identity/accounts/password-reset.ts";
import { listMemberships, updateUser } from "../../../domain/identity/accounts/queries.ts";
import { revokeAllCredentials } from "../../../domain/identity/identities/revoke-all-credentials.ts";
import { deleteSessionsOf } from "../../../domain/identity/sessions/queries.ts";
import { revokeAllTokens } from "../../../domain/identity/tokens/queries.ts";
import { auditAs, goTo, HOME, type Outcome, publicGet, publicPost, show, type Visit } from "../visit.ts";
import { completeSignIn } from "./complete-sign-in.ts";
import { catchComplaint, checkNewPassword, isComplaint } from "./new-account.ts";

const OVER = "This link is over";

/** Links from the operator are valid for a day; mailed ones, which people request themselves, for an hour. */
const deadLink = ({ app }: Visit): Outcome =>
  show(
    messagePage(
      app.mailer && app.config.passwordSignIn === "on"
        ? {
            title: OVER,
            text: "A link for a new password works once, for an hour, until there is a newer one. You can ask for another.",
            link: { href: "/forgotten", label: "Ask for a new link" },
          }
        : {
            title: OVER,
            text: "A link for a new password works once, within a day. Ask whoever runs this server for a new one.",
            link: { href: "/sign-in", label: "Sign in" },
          },
    ),
    410,
  );

const secretOf = ({ params }: Visit): string => params.token ?? "";

async function showReset(visit: Visit): Promise<Outcome> {
  const user = await findReset(visit.app.database.read, secretOf(visit), Date.now());
  if (!user) return deadLink(visit);
  const isFirstProof = provesEmail(user);
  const input = { formToken: visit.formToken, token: secretOf(visit), email: user.email, isFirstProof };
  return show(visit.app.config.passwordSignIn === "on" ? resetPage(input) : signInOncePage(input));
}

/** Without password sign-in the link signs the person in directly. */
async function signInOnce(visit: Visit): Promise<Outcome> {
  const user = await visit.app.database.transaction((tx) => takeReset(tx, secretOf(visit), Date.now()));
  return user ? completeSignIn(visit, user, goTo(HOME), "with a one-time link") : deadLink(visit);
}

/**
 * Sets the password, consumes the link, ends every session, and starts the sign-in, which may still need the second
 * step.
 */
async function setPassword(visit: Visit): Promise<Outcome> {
  const { form, app, formToken } = visit;
  if (app.config.passwordSignIn === "off") return signInOnce(visit);
  const open = await findReset(app.database.read, secretOf(visit), Date.now());
  if (!open) return deadLink(visit);
  const password = form.get("password") ?? "";
  const refused = await catchComplaint(async () => checkNewPassword(password));
  if (isComplaint(refused)) {
    const again = { formToken, token: secretOf(visit), email: open.email, isFirstProof: provesEmail(open) };
    return show(resetPage({ ...again, wrong: refused.complaint }), 422);
  }
  const password_hash = await hashPassword(password);
  const user = await app.database.transaction(async (tx) => {
    const taken = await takeReset(tx, secretOf(visit), Date.now());
    if (!taken) return undefined;
    if (provesEmail(taken)) await revokeAllCredentials(tx, taken.id, Date.now());
    await updateUser(tx, taken.id, { password_hash });
    await deleteSessionsOf(tx, taken.id);
    const revoked = form.get("revoke_tokens") === "1" ? await revokeAllTokens(tx, taken.id, Date.now()) : 0;
    const [first] = await listMemberships(tx, taken.id);
    const who = { workspaceId: first?.id ?? "", userId: taken.id };
    const words = auditWords.passwordReset(taken.name, revoked);
    if (first) await auditAs(tx, visit, who, "reset_password", words);
    const { name, email } = taken;
    await notifyAccountChange(app, tx, { userId: taken.id, name, email, words });
    return { ...taken, password_hash };
  });
  const notice = form.get("revoke_tokens") === "1" ? "password-and-tokens" : "password";
  return user ? completeSignIn(visit, user, goTo(HOME, notice)) : deadLink(visit);
}

export const resetPages = [publicGet("/reset/:token", showReset), publicPost("/reset/:token", setPassword)];
