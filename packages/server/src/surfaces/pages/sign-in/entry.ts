import type { Database } from "../../../db/database.ts";
import { auditWords } from "../../../domain/identity/accounts/audit-words.ts";
import { checkPassword } from "../../../domain/identity/accounts/password.ts";
import { countUsers, findUserByEmail, findUserById } from "../../../domain/identity/accounts/queries.ts";
import {
  addressSubjects,
  admit,
  forgive,
  lockAttempts,
  type Subject,
  signInSubjects,
} from "../../../domain/identity/attempts/slow-down.ts";
import { isKnownAddress, readBrowserMark } from "../../../domain/identity/sessions/known-addresses.ts";
import { deleteSession } from "../../../domain/identity/sessions/queries.ts";
import {
  audit,
  goTo,
  HOME,
  type MemberVisit,
  type Outcome,
  post,
  publicGet,
  publicPost,
  type Visit,
} from "../visit.ts";
import { auditFailure, enter } from "./begin-session.ts";
import { completeSignIn, secondStepPages } from "./complete-sign-in.ts";
import { joinPages } from "./join.ts";
import { PASSKEY_BYTES, takePasskey } from "./passkey-form.ts";
import { resetPages } from "./reset.ts";
import { DISABLED, ifSignedIn, nextUrl, refusedSignIn, showSignInPage } from "./sign-in-page.ts";
import { tooManyTries } from "./too-many-tries.ts";

const FRESH = "There are no accounts yet. The link to create the first one is in the server's log.";

async function showSignIn(visit: Visit): Promise<Outcome> {
  const next = nextUrl(visit);
  if (visit.viewer) return goTo(next);
  const isFresh = (await countUsers(visit.app.database.read)) === 0;
  return showSignInPage(visit, next, isFresh ? { reason: FRESH } : {});
}

const NO_PASSWORDS = "Password sign-in is off.";

/** Signs in with a password. A wrong account and a wrong password get the same answer after the same time. */
async function signIn(visit: Visit): Promise<Outcome> {
  const { database, config } = visit.app;
  const email = (visit.form.get("email") ?? "").trim().toLowerCase().slice(0, 320);
  const password = (visit.form.get("password") ?? "").slice(0, 4000);
  const next = nextUrl(visit);
  if (config.passwordSignIn === "off") return refusedSignIn(visit, next, NO_PASSWORDS, 403);
  const again = (wrong: string, status: number) => showSignInPage(visit, next, { email, wrong }, status);
  const user = await findUserByEmail(database.read, email);
  const subjects = await subjectsOf(visit, email, user?.id ?? "");
  const wait = await admit(database, subjects, Date.now());
  if (wait > 0) {
    const { wrong, headers } = tooManyTries(wait);
    return { ...(await again(wrong, 429)), headers };
  }
  const isRight = await checkPassword(user?.password_hash, password);
  if (!user || !isRight) {
    await (user ? auditFailure(visit, user) : writeAsMuch(database, subjects));
    return again("Email or password is wrong.", 422);
  }
  await forgive(database, subjects);
  if (user.disabled_at !== null) return again(DISABLED, 403);
  return completeSignIn(visit, user, goTo(next));
}

/** Does the work of an audit entry for an unknown email: one disk flush less would reveal that there is no account. */
const writeAsMuch = (database: Database, [subject]: readonly Subject[]): Promise<unknown> =>
  database.transaction(async (tx) => subject && lockAttempts(tx, subject.key));

/** Signs in with a passkey, which names its owner. A passkey is two factors: possession plus biometric or PIN. */
async function signInWithPasskey(visit: Visit): Promise<Outcome> {
  const { database } = visit.app;
  const next = nextUrl(visit);
  const wait = await admit(database, addressSubjects(visit.address), Date.now());
  if (wait > 0) {
    const { wrong, headers } = tooManyTries(wait);
    return { ...(await refusedSignIn(visit, next, wrong, 429)), headers };
  }
  const userId = await takePasskey(visit);
  const user = userId === undefined ? undefined : await findUserById(database.read, userId);
  if (!user)
    return refusedSignIn(visit, next, "This passkey is not registered here. Try again, or choose another method.", 422);
  await forgive(database, addressSubjects(visit.address));
  if (user.disabled_at !== null) return refusedSignIn(visit, next, DISABLED, 403);
  return enter(visit, { id: user.id, name: user.name }, goTo(next), "with a passkey");
}

/** The subjects that the attempt counts for. The store is queried the same way whether or not the account exists. */
async function subjectsOf(visit: Visit, email: string, userId: string): Promise<Subject[]> {
  const { address, browserMark } = visit;
  const { database, secret } = visit.app;
  const isKnown = await isKnownAddress(database.read, userId, address, Date.now());
  const browser = userId === "" ? undefined : readBrowserMark(secret, userId, browserMark);
  return signInSubjects({ email, address, browser, isKnownAddress: isKnown });
}

const SIGNED_OUT = goTo("/sign-in", "signed-out");

async function signOut(visit: MemberVisit): Promise<Outcome> {
  const { userId, sessionId } = visit.viewer;
  await visit.app.database.transaction(async (tx) => {
    await deleteSession(tx, userId, sessionId);
    await audit(tx, visit, "sign_out", auditWords.signedOut(visit.viewer.name));
  });
  return { ...SIGNED_OUT, session: null };
}

export const entryPages = [
  publicGet("/", async ({ viewer }) => goTo(viewer ? HOME : "/sign-in")),
  publicGet("/sign-in", showSignIn),
  { ...publicPost("/sign-in", signIn), ifDone: ifSignedIn },
  { ...publicPost("/sign-in/passkey", signInWithPasskey, PASSKEY_BYTES), ifDone: ifSignedIn },
  { ...post("/sign-out", signOut), ifDone: ({ viewer }: Visit) => (viewer ? undefined : SIGNED_OUT) },
  ...joinPages,
  ...resetPages,
  ...secondStepPages,
];
