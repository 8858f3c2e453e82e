import { messagePage } from "@svc/web/server/pages/message";
import { joinAsPage, joinPage } from "@svc/web/server/pages/sign-in/entry";
import type { Tx } from "../../../db/database.ts";
import { notifyNewMembers } from "../../../domain/discussion/notifications/notify-access.ts";
import { auditWords } from "../../../domain/identity/accounts/audit-words.ts";
import { refuseTakenEmail } from "../../../domain/identity/accounts/change-email.ts";
import { mailEmailProof } from "../../../domain/identity/accounts/email-proof.ts";
import { insertUser, markVerified } from "../../../domain/identity/accounts/queries.ts";
import { addressSubjects, admit } from "../../../domain/identity/attempts/slow-down.ts";
import { acceptInvitation, type Joined } from "../../../domain/identity/invitations/invite.ts";
import { invitationSecret, isMailedTo } from "../../../domain/identity/invitations/mailed-link.ts";
import { findInvitation } from "../../../domain/identity/invitations/queries.ts";
import { browserMark, rememberAddress } from "../../../domain/identity/sessions/known-addresses.ts";
import { updateSessionWorkspace } from "../../../domain/identity/sessions/queries.ts";
import { startSession } from "../../../domain/identity/sessions/start-session.ts";
import { apiError } from "../../../errors.ts";
import { hashSecret } from "../../../http/callers/authenticate.ts";
import { newId } from "../../../ids.ts";
import type { Viewer } from "../viewer.ts";
import { auditAs, goTo, NEW_ACCOUNT_BYTES, type Outcome, publicGet, publicPost, show, type Visit } from "../visit.ts";
import { sessionPlaceOf } from "./begin-session.ts";
import { catchComplaint, isComplaint, type NewAccount, readNewAccount } from "./new-account.ts";
import { tooManyTries } from "./too-many-tries.ts";

const deadLink = show(
  messagePage({
    title: "This invitation is over",
    text: "An invitation works once, within 7 days. Ask the person who sent it for a new one.",
  }),
  410,
);

const linkOf = ({ params }: Visit): string => params.token ?? "";
const secretOf = (visit: Visit): string => invitationSecret(linkOf(visit));

async function openInvitation(visit: Visit) {
  const row = await findInvitation(visit.app.database.read, hashSecret(secretOf(visit)), Date.now());
  return row && { workspaceName: row.workspace_name, inviter: row.inviter, role: row.role };
}

async function showJoin(visit: Visit): Promise<Outcome> {
  const invitation = await openInvitation(visit);
  if (!invitation) return deadLink;
  const base = { formToken: visit.formToken, token: linkOf(visit), invitation };
  if (visit.viewer) return show(joinAsPage({ ...base, ...visit.viewer }));
  // Without passwords, signing in creates the account, and then leads back here.
  return hasPasswords(visit) ? show(joinPage(base)) : goTo(`/sign-in?next=${encodeURIComponent(visit.path)}`);
}

async function joinAs(visit: Visit, viewer: Viewer): Promise<Outcome> {
  const joined = await visit.app.database.transaction(async (tx) => {
    const accepted = await acceptInvitation(tx, secretOf(visit), viewer.userId);
    if (!accepted) return undefined;
    if (isMailedTo(visit.app.secret, linkOf(visit), viewer.email)) await markVerified(tx, viewer.userId, Date.now());
    await updateSessionWorkspace(tx, viewer.sessionId, accepted.workspaceId);
    await auditJoin(tx, visit, { id: viewer.userId, name: viewer.name }, accepted);
    return accepted;
  });
  return joined ? goTo("/knowledge-bases", "joined") : deadLink;
}

class DeadInvitation extends Error {}

/** Creates the account and the membership together, or neither if the invitation was used meanwhile. */
const createInvited = (visit: Visit, account: NewAccount) =>
  visit.app.database.transaction(async (tx) => {
    const { app } = visit;
    await refuseTakenEmail(tx, account.email);
    const now = Date.now();
    const user = { id: newId("user"), email: account.email, name: account.name };
    const isProven = isMailedTo(app.secret, linkOf(visit), account.email);
    const proven = { password_hash: account.passwordHash, created_at: now, email_verified_at: isProven ? now : null };
    await insertUser(tx, { ...user, ...proven });
    const accepted = await acceptInvitation(tx, secretOf(visit), user.id);
    if (!accepted) throw new DeadInvitation();
    await auditJoin(tx, visit, user, accepted);
    if (app.mailer && !isProven) await mailEmailProof(app, tx, user.id, user.email);
    await rememberAddress(tx, user.id, visit.address, now);
    const { secret } = await startSession(tx, user, sessionPlaceOf(visit), accepted.workspaceId);
    return { session: secret, browserMark: browserMark(app.secret, user.id) };
  });

async function auditJoin(tx: Tx, visit: Visit, user: { id: string; name: string }, joined: Joined): Promise<void> {
  const { workspaceId, role, inviter, inviterId, isNew } = joined;
  const by = { userId: inviterId, tokenId: null };
  if (isNew) await notifyNewMembers(visit.app, tx, { workspaceId, by, userIds: [user.id] });
  await auditAs(
    tx,
    visit,
    { workspaceId, userId: user.id },
    "join_workspace",
    auditWords.joined(user.name, role, inviter),
    201,
  );
}

const hasPasswords = ({ app }: Visit): boolean => app.config.passwordSignIn === "on";

async function joinAsNew(visit: Visit): Promise<Outcome> {
  if (!hasPasswords(visit)) throw apiError("insufficient_role");
  const invitation = await openInvitation(visit);
  if (!invitation) return deadLink;
  const typed = { name: visit.form.get("name") ?? "", email: visit.form.get("email") ?? "" };
  const again = { formToken: visit.formToken, token: linkOf(visit), invitation, ...typed };
  const account = await catchComplaint(() => readNewAccount(visit.form));
  if (isComplaint(account)) return show(joinPage({ ...again, wrong: account.complaint }), 422);
  const wait = await admit(visit.app.database, addressSubjects(visit.address), Date.now());
  if (wait > 0) return show(joinPage({ ...again, wrong: tooManyTries(wait).wrong }), 429);
  const begun = await catchComplaint(() => createInvited(visit, account)).catch(nothingIfDead);
  if (begun === undefined) return deadLink;
  if (isComplaint(begun)) return show(joinPage({ ...again, wrong: begun.complaint }), 422);
  return { ...goTo("/knowledge-bases", "joined"), ...begun };
}

const nothingIfDead = (error: unknown): undefined => {
  if (!(error instanceof DeadInvitation)) throw error;
};

export const joinPages = [
  publicGet("/join/:token", showJoin),
  publicPost(
    "/join/:token",
    (visit) => (visit.viewer ? joinAs(visit, visit.viewer) : joinAsNew(visit)),
    NEW_ACCOUNT_BYTES,
  ),
];
