import type { Database } from "../../db/database.ts";
import { auditWords } from "../../resources/accounts/audit-words.ts";
import { checkPassword } from "../../resources/accounts/password.ts";
import { countUsers, findUserByEmail, findUserById } from "../../resources/accounts/queries.ts";
import {
  addressSubjects,
  admit,
  forgive,
  lockAttempts,
  type Subject,
  signInSubjects,
} from "../../resources/attempts/slow-down.ts";
import { isKnownAddress, readBrowserMark } from "../../resources/sessions/known-places.ts";
import { deleteSession } from "../../resources/sessions/queries.ts";
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
import { joinPages } from "./join.ts";
import { letIn, secondStepPages } from "./let-in.ts";
import { PASSKEY_BYTES, takePasskey } from "./passkey-form.ts";
import { resetPages } from "./reset.ts";
import { DISABLED, ifIn, refusedSignIn, showSignInPage, wayOn } from "./sign-in-page.ts";
import { tooManyTries } from "./too-many-tries.ts";

const FRESH = "Nobody has an account here yet. The link that makes the first one is in the server's log.";

async function showSignIn(visit: Visit): Promise<Outcome> {
  const next = wayOn(visit);
  if (visit.viewer) return goTo(next);
  const isFresh = (await countUsers(visit.app.database.read)) === 0;
  return showSignInPage(visit, next, isFresh ? { reason: FRESH } : {});
}

const NO_PASSWORDS = "Nobody signs in with a password here.";

/** Says the same, as slowly, whether the account or only the password is wrong. */
async function signIn(visit: Visit): Promise<Outcome> {
  const { database, config } = visit.app;
  const email = (visit.form.get("email") ?? "").trim().toLowerCase().slice(0, 320);
  const password = (visit.form.get("password") ?? "").slice(0, 4000);
  const next = wayOn(visit);
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
  return letIn(visit, user, goTo(next));
}

/** For an email without an account, in place of the audit entry: one flush to disk less would tell that there is none. */
const writeAsMuch = (database: Database, [subject]: readonly Subject[]): Promise<unknown> =>
  database.transaction(async (tx) => subject && lockAttempts(tx, subject.key));

/** A passkey says whose it is, and counts for both steps: it is a thing that one has, opened by what one is or knows. */
async function signInWithPasskey(visit: Visit): Promise<Outcome> {
  const { database } = visit.app;
  const next = wayOn(visit);
  const wait = await admit(database, addressSubjects(visit.address), Date.now());
  if (wait > 0) {
    const { wrong, headers } = tooManyTries(wait);
    return { ...(await refusedSignIn(visit, next, wrong, 429)), headers };
  }
  const userId = await takePasskey(visit);
  const user = userId === undefined ? undefined : await findUserById(database.read, userId);
  if (!user)
    return refusedSignIn(visit, next, "This passkey is not known here. Try again, or choose another way.", 422);
  await forgive(database, addressSubjects(visit.address));
  if (user.disabled_at !== null) return refusedSignIn(visit, next, DISABLED, 403);
  return enter(visit, { id: user.id, name: user.name }, goTo(next), "with a passkey");
}

/** What the try is counted for. Asks the same of the store whether there is such an account or not. */
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
  { ...publicPost("/sign-in", signIn), ifDone: ifIn },
  { ...publicPost("/sign-in/passkey", signInWithPasskey, PASSKEY_BYTES), ifDone: ifIn },
  { ...post("/sign-out", signOut), ifDone: ({ viewer }: Visit) => (viewer ? undefined : SIGNED_OUT) },
  ...joinPages,
  ...resetPages,
  ...secondStepPages,
];
