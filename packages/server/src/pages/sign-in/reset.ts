import { messagePage } from "@svc/web/pages/message";
import { resetPage, signInOncePage } from "@svc/web/pages/sign-in/reset";
import { auditWords } from "../../resources/accounts/audit-words.ts";
import { hashPassword } from "../../resources/accounts/password.ts";
import { findReset, provesEmail, takeReset } from "../../resources/accounts/password-reset.ts";
import { listMemberships, updateUser } from "../../resources/accounts/queries.ts";
import { shutOut } from "../../resources/identities/shut-out.ts";
import { tellAccountChange } from "../../resources/notifications/tell-account-change.ts";
import { deleteSessionsOf } from "../../resources/sessions/queries.ts";
import { revokeAllTokens } from "../../resources/tokens/queries.ts";
import { auditAs, goTo, HOME, type Outcome, publicGet, publicPost, show, type Visit } from "../visit.ts";
import { letIn } from "./let-in.ts";
import { checkNewPassword, isComplaint, orComplaint } from "./new-account.ts";

const OVER = "This link is over";

/** Whoever runs the server makes links for a day; those that are mailed work for an hour, and people ask for them. */
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

/** Where nobody has a use for a password, the link lets the person in as they are. */
async function signInOnce(visit: Visit): Promise<Outcome> {
  const user = await visit.app.database.transaction((tx) => takeReset(tx, secretOf(visit), Date.now()));
  return user ? letIn(visit, user, goTo(HOME), "with a one-time link") : deadLink(visit);
}

/** Sets the password, uses the link up, ends every session, and lets the person in, who still has their second step to take. */
async function setPassword(visit: Visit): Promise<Outcome> {
  const { form, app, formToken } = visit;
  if (app.config.passwordSignIn === "off") return signInOnce(visit);
  const open = await findReset(app.database.read, secretOf(visit), Date.now());
  if (!open) return deadLink(visit);
  const password = form.get("password") ?? "";
  const refused = await orComplaint(async () => checkNewPassword(password));
  if (isComplaint(refused)) {
    const again = { formToken, token: secretOf(visit), email: open.email, isFirstProof: provesEmail(open) };
    return show(resetPage({ ...again, wrong: refused.complaint }), 422);
  }
  const password_hash = await hashPassword(password);
  const user = await app.database.transaction(async (tx) => {
    const taken = await takeReset(tx, secretOf(visit), Date.now());
    if (!taken) return undefined;
    if (provesEmail(taken)) await shutOut(tx, taken.id, Date.now());
    await updateUser(tx, taken.id, { password_hash });
    await deleteSessionsOf(tx, taken.id);
    const revoked = form.get("revoke_tokens") === "1" ? await revokeAllTokens(tx, taken.id, Date.now()) : 0;
    const [first] = await listMemberships(tx, taken.id);
    const who = { workspaceId: first?.id ?? "", userId: taken.id };
    const words = auditWords.passwordReset(taken.name, revoked);
    if (first) await auditAs(tx, visit, who, "reset_password", words);
    const { name, email } = taken;
    await tellAccountChange(app, tx, { userId: taken.id, name, email, words });
    return { ...taken, password_hash };
  });
  const notice = form.get("revoke_tokens") === "1" ? "password-and-tokens" : "password";
  return user ? letIn(visit, user, goTo(HOME, notice)) : deadLink(visit);
}

export const resetPages = [publicGet("/reset/:token", showReset), publicPost("/reset/:token", setPassword)];
