import { accountPage } from "@svc/web/server/pages/account/account";
import { auditWords } from "../../../domain/identity/accounts/audit-words.ts";
import { normaliseName } from "../../../domain/identity/accounts/create-user.ts";
import { findEmailProof } from "../../../domain/identity/accounts/email-proof.ts";
import { checkPassword, hashPassword } from "../../../domain/identity/accounts/password.ts";
import { deleteReset } from "../../../domain/identity/accounts/password-reset.ts";
import { findUserByEmail, findUserById, updateUser } from "../../../domain/identity/accounts/queries.ts";
import { admit, forgive, sessionSubjects } from "../../../domain/identity/attempts/slow-down.ts";
import { findGrant, listConnections } from "../../../domain/identity/oauth/queries.ts";
import { deleteOtherSessions, deleteSession, listSessions } from "../../../domain/identity/sessions/queries.ts";
import { revokeAllTokens, revokeToken } from "../../../domain/identity/tokens/queries.ts";
import { apiError } from "../../../errors.ts";
import { parseBound } from "../../../rights/load-rights.ts";
import { deviceName } from "../sign-in/device-name.ts";
import { catchComplaint, checkNewPassword, isComplaint } from "../sign-in/new-account.ts";
import { tooManyTries } from "../sign-in/too-many-tries.ts";
import { audit, auditAs, get, goTo, type MemberVisit, type Outcome, post, show } from "../visit.ts";
import { auditChange } from "./audit-change.ts";
import { visibleBases } from "./visible-bases.ts";

interface Complaints {
  readonly wrongName?: string;
  readonly wrongEmail?: string;
  readonly wrongPassword?: string;
}

/** Shows the page, with complaints about a form on it if there are any. */
export async function showAccount(visit: MemberVisit, complaints: Complaints = {}, status = 200): Promise<Outcome> {
  const { viewer, formToken, app } = visit;
  const now = Date.now();
  const [rows, connections, user, proof] = await Promise.all([
    listSessions(app.database.read, viewer.userId, app.config, now),
    listConnections(app.database.read, viewer.userId, now),
    findUserById(app.database.read, viewer.userId),
    findEmailProof(app.database.read, viewer.userId, now),
  ]);
  const baseNames = await namesOfBases(visit, connections);
  const programs = connections.map((row) => ({
    id: row.id,
    name: row.name,
    access: row.access,
    workspaceName: row.workspace_name,
    connectedAt: row.created_at,
    lastUsedAt: row.last_used_at,
    bases: parseBound(row.knowledge_base_ids ?? null)?.flatMap((id) => baseNames.get(id) ?? []) ?? null,
  }));
  const sessions = rows.map((row) => ({
    id: row.id,
    device: deviceName(row.user_agent),
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    address: row.last_address,
    isThis: row.id === viewer.sessionId,
  }));
  return show(
    accountPage({
      formToken,
      name: viewer.name,
      email: viewer.email,
      isVerified: user != null && user.email_verified_at !== null,
      waiting: proof?.email,
      password: app.config.passwordSignIn === "off" ? "no use" : user?.password_hash ? "set" : "none",
      canMail: app.mailer !== undefined,
      sessions,
      programs,
      now,
      ...complaints,
    }),
    status,
  );
}

/** Names of the knowledge bases that programs are limited to, if the person can see them. */
async function namesOfBases(
  visit: MemberVisit,
  connections: readonly { readonly knowledge_base_ids?: string | null }[],
): Promise<ReadonlyMap<number, string>> {
  if (connections.every((row) => parseBound(row.knowledge_base_ids ?? null) === null)) return new Map();
  const inSight = (await visibleBases(visit)).flatMap(({ bases }) => bases);
  return new Map(inSight.map(({ id, name }) => [id, name]));
}

async function changeName(visit: MemberVisit): Promise<Outcome> {
  const name = await catchComplaint(async () => normaliseName(visit.form.get("name") ?? ""));
  if (isComplaint(name)) return showAccount(visit, { wrongName: name.complaint }, 422);
  const { userId, name: before } = visit.viewer;
  await visit.app.database.transaction(async (tx) => {
    await updateUser(tx, userId, { name });
    if (name !== before) await audit(tx, visit, "change_name", auditWords.nameChanged(before, name));
  });
  return goTo("/account", "name");
}

/**
 * Changes the password. The current one is required and rate-limited like a sign-in, so a borrowed session cannot guess
 * it.
 */
async function changePassword(visit: MemberVisit): Promise<Outcome> {
  const { viewer, app, form } = visit;
  if (app.config.passwordSignIn === "off") throw apiError("insufficient_role");
  const password = form.get("password") ?? "";
  const refused = await catchComplaint(async () => checkNewPassword(password));
  if (isComplaint(refused)) return showAccount(visit, { wrongPassword: refused.complaint }, 422);
  const subjects = sessionSubjects(viewer.sessionId);
  const wait = await admit(app.database, subjects, Date.now());
  if (wait > 0) return showAccount(visit, { wrongPassword: tooManyTries(wait).wrong }, 429);
  const user = await findUserByEmail(app.database.read, viewer.email);
  if (!(await checkPassword(user?.password_hash, (form.get("current") ?? "").slice(0, 4000))))
    return showAccount(visit, { wrongPassword: "The current password is wrong." }, 422);
  await forgive(app.database, subjects);
  const password_hash = await hashPassword(password);
  await app.database.transaction(async (tx) => {
    await updateUser(tx, viewer.userId, { password_hash });
    await deleteOtherSessions(tx, viewer.userId, viewer.sessionId);
    await deleteReset(tx, viewer.userId);
    const revoked = form.get("revoke_tokens") === "1" ? await revokeAllTokens(tx, viewer.userId, Date.now()) : 0;
    await auditChange(tx, visit, "change_password", auditWords.passwordChanged(viewer.name, revoked));
  });
  return goTo("/account", form.get("revoke_tokens") === "1" ? "password-and-tokens" : "password");
}

async function disconnect(visit: MemberVisit): Promise<Outcome> {
  const id = visit.form.get("program") ?? "";
  const { userId, name } = visit.viewer;
  await visit.app.database.transaction(async (tx) => {
    const grant = await findGrant(tx, id);
    if (!grant || grant.user_id !== userId || grant.revoked_at !== null) return;
    await revokeToken(tx, id, Date.now());
    const where = { workspaceId: grant.workspace_id, userId };
    await auditAs(tx, visit, where, "disconnect_program", auditWords.disconnected(name, grant.name));
  });
  return goTo("/account", "disconnected");
}

export const accountPages = [
  post("/account/programs/disconnect", disconnect),
  get("/account", (visit) => showAccount(visit)),
  post("/account/name", changeName),
  post("/account/password", changePassword),
  post("/account/sessions/end", async (visit) => {
    const { userId, name } = visit.viewer;
    await visit.app.database.transaction(async (tx) => {
      const ended = await deleteSession(tx, userId, visit.form.get("session") ?? "");
      if (ended) await audit(tx, visit, "end_session", auditWords.sessionEnded(name, deviceName(ended.user_agent)));
    });
    return goTo("/account", "session-ended");
  }),
  post("/account/sessions/end-others", async (visit) => {
    const { userId, sessionId, name } = visit.viewer;
    await visit.app.database.transaction(async (tx) => {
      await deleteOtherSessions(tx, userId, sessionId);
      await audit(tx, visit, "end_other_sessions", auditWords.otherSessionsEnded(name));
    });
    return goTo("/account", "sessions-ended");
  }),
];
