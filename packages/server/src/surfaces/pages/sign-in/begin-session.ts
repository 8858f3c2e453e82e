import type { Tx } from "../../../db/database.ts";
import { notifySecurityEvent } from "../../../domain/discussion/notifications/notify-security.ts";
import { auditWords } from "../../../domain/identity/accounts/audit-words.ts";
import { listMemberships } from "../../../domain/identity/accounts/queries.ts";
import { browserMark, isNewLocation, rememberAddress } from "../../../domain/identity/sessions/known-addresses.ts";
import { type SessionOptions, startSession } from "../../../domain/identity/sessions/start-session.ts";
import { auditAs, localPath, type Outcome, type Visit } from "../visit.ts";
import { deviceName } from "./device-name.ts";
import { refusedSignIn } from "./sign-in-page.ts";

interface Person {
  readonly id: string;
  readonly name: string;
}

/** A person who has proven who they are; includes their password if that was the proof. */
interface Proven extends Person {
  readonly password_hash?: string;
}

/** The browser and address in which a visit's session begins. */
export const sessionPlaceOf = ({ app, userAgent, address }: Visit): SessionOptions => ({
  userAgent,
  address,
  maxDays: app.config.sessionMaxDays,
});

const CHANGED = "Your account was changed meanwhile. Sign in again.";

/**
 * Starts a session for a person who has proven who they are, `through` a provider or otherwise, and remembers the
 * browser and its address.
 */
export async function enter(visit: Visit, user: Proven, to: Outcome, through?: string): Promise<Outcome> {
  const begun = await beginSession(visit, user, through);
  return begun ? { ...to, ...begun } : refusedSignIn(visit, localPath(to.location ?? "/"), CHANGED, 403);
}

/**
 * Checks the account again under its lock: a password change ends all sessions, and a sign-in with the old password
 * must not complete after it.
 */
async function isStillProven(tx: Tx, { id, password_hash }: Proven): Promise<boolean> {
  const user = await tx.lock("user", "", id);
  return user?.disabled_at === null && (password_hash === undefined || password_hash === user.password_hash);
}

async function beginSession(
  visit: Visit,
  user: Proven,
  through?: string,
): Promise<Pick<Outcome, "session" | "browserMark"> | undefined> {
  const { app, userAgent, address } = visit;
  const session = await app.database.transaction(async (tx) => {
    if (!(await isStillProven(tx, user))) return undefined;
    const { secret, workspaceId, madeWorkspace } = await startSession(tx, user, sessionPlaceOf(visit));
    const who = { workspaceId, userId: user.id };
    if (madeWorkspace !== undefined)
      await auditAs(tx, visit, who, "create_workspace", auditWords.workspaceMade(user.name, madeWorkspace), 201);
    const words = auditWords.signedIn(user.name, deviceName(userAgent), address, through);
    await auditAs(tx, visit, who, "sign_in", words);
    const place = { userId: user.id, address, browserMark: visit.browserMark };
    if (await isNewLocation(tx, app.secret, place, Date.now())) await notifySecurityEvent(app, tx, { ...who, words });
    await rememberAddress(tx, user.id, address, Date.now());
    return secret;
  });
  return session === undefined ? undefined : { session, browserMark: browserMark(app.secret, user.id) };
}

/**
 * Audits a failed sign-in in the workspace that the person would have signed in to; without one nothing is recorded.
 */
export const auditFailure = (visit: Visit, user: Person): Promise<void> =>
  visit.app.database.transaction(async (tx) => {
    const [first] = await listMemberships(tx, user.id);
    if (!first) return;
    const who = { workspaceId: first.id, userId: user.id };
    await auditAs(tx, visit, who, "sign_in_failed", auditWords.signInFailed(user.name, visit.address), 422);
  });
