import { auditWords } from "../../resources/accounts/audit-words.ts";
import { listMemberships } from "../../resources/accounts/queries.ts";
import { tellSecurity } from "../../resources/notifications/tell-security.ts";
import { browserMark, isNewPlace, rememberAddress } from "../../resources/sessions/known-places.ts";
import { type SessionPlace, startSession } from "../../resources/sessions/start-session.ts";
import { auditAs, type Outcome, type Visit } from "../visit.ts";
import { deviceName } from "./device-name.ts";

interface Person {
  readonly id: string;
  readonly name: string;
}

/** Where the session of a visit begins. */
export const placeOf = ({ app, userAgent, address }: Visit): SessionPlace => ({
  userAgent,
  address,
  maxDays: app.config.sessionMaxDays,
});

/**
 * Lets a person in who has proven who they are, `through` a provider or otherwise; the browser and its address are
 * known from now on.
 */
export async function beginSession(
  visit: Visit,
  user: Person,
  through?: string,
): Promise<Pick<Outcome, "session" | "browserMark">> {
  const { app, userAgent, address } = visit;
  const session = await app.database.transaction(async (tx) => {
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
  return { session, browserMark: browserMark(app.secret, user.id) };
}

/** In the workspace that the person would have signed in to; without one nothing is recorded. */
export const auditFailure = (visit: Visit, user: Person): Promise<void> =>
  visit.app.database.transaction(async (tx) => {
    const [first] = await listMemberships(tx, user.id);
    if (!first) return;
    const who = { workspaceId: first.id, userId: user.id };
    await auditAs(tx, visit, who, "sign_in_failed", auditWords.signInFailed(user.name, visit.address), 422);
  });
