import type { Tx } from "../../db/database.ts";
import { auditWords } from "../../resources/accounts/audit-words.ts";
import { listMemberships } from "../../resources/accounts/queries.ts";
import { tellSecurity } from "../../resources/notifications/tell-security.ts";
import { browserMark, isNewPlace, rememberAddress } from "../../resources/sessions/known-places.ts";
import { type SessionPlace, startSession } from "../../resources/sessions/start-session.ts";
import { auditAs, localPath, type Outcome, type Visit } from "../visit.ts";
import { deviceName } from "./device-name.ts";
import { refusedSignIn } from "./sign-in-page.ts";

interface Person {
  readonly id: string;
  readonly name: string;
}

/** Somebody who has proven who they are; with their password where that was the proof. */
interface Proven extends Person {
  readonly password_hash?: string;
}

/** Where the session of a visit begins. */
export const placeOf = ({ app, userAgent, address }: Visit): SessionPlace => ({
  userAgent,
  address,
  maxDays: app.config.sessionMaxDays,
});

const CHANGED = "Your account was changed meanwhile. Sign in again.";

/**
 * Lets a person in who has proven who they are, `through` a provider or otherwise; the browser and its address are
 * known from now on.
 */
export async function enter(visit: Visit, user: Proven, to: Outcome, through?: string): Promise<Outcome> {
  const begun = await beginSession(visit, user, through);
  return begun ? { ...to, ...begun } : refusedSignIn(visit, localPath(to.location ?? "/"), CHANGED, 403);
}

/**
 * Looks at the account once more, under its lock: whoever changes the password ends all sessions, and one that was on
 * its way with the password of before must not come after them.
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
    const { secret, workspaceId, madeWorkspace } = await startSession(tx, user, placeOf(visit));
    const who = { workspaceId, userId: user.id };
    if (madeWorkspace !== undefined)
      await auditAs(tx, visit, who, "create_workspace", auditWords.workspaceMade(user.name, madeWorkspace), 201);
    const words = auditWords.signedIn(user.name, deviceName(userAgent), address, through);
    await auditAs(tx, visit, who, "sign_in", words);
    const place = { userId: user.id, address, browserMark: visit.browserMark };
    if (await isNewPlace(tx, app.secret, place, Date.now())) await tellSecurity(app, tx, { ...who, words });
    await rememberAddress(tx, user.id, address, Date.now());
    return secret;
  });
  return session === undefined ? undefined : { session, browserMark: browserMark(app.secret, user.id) };
}

/** In the workspace that the person would have signed in to; without one nothing is recorded. */
export const auditFailure = (visit: Visit, user: Person): Promise<void> =>
  visit.app.database.transaction(async (tx) => {
    const [first] = await listMemberships(tx, user.id);
    if (!first) return;
    const who = { workspaceId: first.id, userId: user.id };
    await auditAs(tx, visit, who, "sign_in_failed", auditWords.signInFailed(user.name, visit.address), 422);
  });
