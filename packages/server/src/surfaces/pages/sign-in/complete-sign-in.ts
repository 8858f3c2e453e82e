import { secondStepPage } from "@svc/web/server/pages/sign-in/second-step";
import type { UserRow } from "../../../db/schema/tables/accounts.ts";
import { auditWords } from "../../../domain/identity/accounts/audit-words.ts";
import { findUserById, listMemberships } from "../../../domain/identity/accounts/queries.ts";
import { admit, factorSubjects, forgive } from "../../../domain/identity/attempts/slow-down.ts";
import { hasTotp, listPasskeys } from "../../../domain/identity/factors/queries.ts";
import { newTicket, readTicket, spendTicket } from "../../../domain/identity/factors/ticket.ts";
import { useCode } from "../../../domain/identity/factors/use-code.ts";
import { hashSecret } from "../../../http/callers/authenticate.ts";
import { auditAs, goTo, localPath, type Outcome, publicPost, show, type Visit } from "../visit.ts";
import { enter } from "./begin-session.ts";
import { offerPasskey, PASSKEY_BYTES, takePasskey } from "./passkey-form.ts";
import { DISABLED, ifSignedIn, refusedSignIn } from "./sign-in-page.ts";
import { tooManyTries } from "./too-many-tries.ts";

type Person = Pick<UserRow, "id" | "name" | "password_hash">;

/** The result of the first step. */
interface FirstStep {
  readonly userId: string;
  /** Changes with the password, which makes the first step necessary again. */
  readonly password: string;
  readonly next: string;
}

const mark = ({ password_hash }: Pick<UserRow, "password_hash">): string => hashSecret(password_hash);

/** Completes a sign-in with a password or a one-time link: starts the session, or asks for the second step. */
export async function completeSignIn(visit: Visit, user: Person, to: Outcome, through?: string): Promise<Outcome> {
  if (!(await hasTotp(visit.app.database.read, user.id))) return enter(visit, user, to, through);
  const first: FirstStep = { userId: user.id, password: mark(user), next: localPath(to.location ?? "/") };
  return askForCode(visit, first);
}

async function askForCode(visit: Visit, first: FirstStep, wrong?: string, status = 200): Promise<Outcome> {
  const { app, formToken } = visit;
  const keys = await listPasskeys(app.database.read, first.userId);
  const ids = keys.map((key) => key.credential_id);
  return show(
    secondStepPage({
      formToken,
      ticket: newTicket(app.secret, "second-step", formToken, first),
      passkey: ids.length > 0 ? offerPasskey(visit, ids) : undefined,
      wrong,
    }),
    status,
  );
}

const TOO_LATE = "That took too long, or was done in another window. Sign in again.";

async function takeSecondStep(visit: Visit): Promise<Outcome> {
  const { app, form, formToken } = visit;
  const ticket = readTicket<FirstStep>(app.secret, "second-step", formToken, form.get("ticket"));
  const user = ticket && (await findUserById(app.database.read, ticket.data.userId));
  if (!ticket || !user || mark(user) !== ticket.data.password) return refusedSignIn(visit, "/", TOO_LATE, 403);
  const subjects = factorSubjects(user.id);
  const wait = await admit(app.database, subjects, Date.now());
  if (wait > 0) {
    const { wrong, headers } = tooManyTries(wait);
    return { ...(await askForCode(visit, ticket.data, wrong, 429)), headers };
  }
  const through = await secondStep(visit, user.id);
  if (through === undefined) {
    await auditWrongCode(visit, user);
    return askForCode(visit, ticket.data, "The code is wrong, or was used before.", 422);
  }
  await forgive(app.database, subjects);
  if (user.disabled_at !== null) return refusedSignIn(visit, ticket.data.next, DISABLED, 403);
  if (!(await app.database.transaction((tx) => spendTicket(tx, ticket))))
    return refusedSignIn(visit, ticket.data.next, TOO_LATE, 403);
  return enter(visit, user, goTo(ticket.data.next), through);
}

/** How the second step was completed, for the audit log; undefined if it was not. */
async function secondStep(visit: Visit, userId: string): Promise<string | undefined> {
  const { app, form } = visit;
  if (form.get("passkey")) return (await takePasskey(visit)) === userId ? "with a passkey as second step" : undefined;
  const code = (form.get("code") ?? "").slice(0, 100);
  const used = await app.database.transaction((tx) => useCode(tx, app.secret, userId, code, Date.now()));
  return used && (used === "app" ? "with a code" : "with a recovery code");
}

const auditWrongCode = (visit: Visit, user: Person): Promise<void> =>
  visit.app.database.transaction(async (tx) => {
    const [workspace] = await listMemberships(tx, user.id);
    if (!workspace) return;
    const who = { workspaceId: workspace.id, userId: user.id };
    await auditAs(tx, visit, who, "sign_in_failed", auditWords.codeFailed(user.name, visit.address), 422);
  });

export const secondStepPages = [{ ...publicPost("/sign-in/code", takeSecondStep, PASSKEY_BYTES), ifDone: ifSignedIn }];
