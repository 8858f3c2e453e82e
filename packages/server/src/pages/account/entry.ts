import { signInPage } from "@svc/web/pages/account/entry";
import { auditWords } from "../../resources/accounts/audit-words.ts";
import { checkPassword } from "../../resources/accounts/password.ts";
import { countUsers, findUserByEmail } from "../../resources/accounts/queries.ts";
import { admit, forgive, type Subject, signInSubjects } from "../../resources/attempts/slow-down.ts";
import { isKnownAddress, readBrowserMark } from "../../resources/sessions/known-places.ts";
import { deleteSession } from "../../resources/sessions/queries.ts";
import { audit, goTo, HOME, localPath, type Outcome, post, publicGet, publicPost, show, type Visit } from "../visit.ts";
import { auditFailure, beginSession } from "./begin-session.ts";
import { joinPages } from "./join.ts";
import { resetPages } from "./reset.ts";
import { tooManyTries } from "./too-many-tries.ts";

const reasonFor = (next: string): { reason?: string } =>
  next.startsWith("/device")
    ? { reason: "Sign in to connect your device." }
    : next.startsWith("/oauth/authorize")
      ? { reason: "Sign in to connect a program." }
      : {};

const FRESH = "Nobody has an account here yet. The link that makes the first one is in the server's log.";

/** What every form of the sign-in page shows. */
const entryOf = ({ app, formToken }: Visit, next: string) => ({
  formToken,
  next,
  hasPassword: app.config.passwordSignIn === "on",
  providers: app.identityProviders.map(({ key, name }) => ({ key, name })),
  ...reasonFor(next),
});

async function showSignIn(visit: Visit): Promise<Outcome> {
  const next = localPath(visit.query.get("next"));
  if (visit.viewer) return goTo(next);
  const isFresh = (await countUsers(visit.app.database.read)) === 0;
  return show(signInPage({ ...entryOf(visit, next), ...(isFresh && { reason: FRESH }) }));
}

/** The sign-in page again, with what was wrong. */
export const refusedSignIn = async (visit: Visit, next: string, wrong: string, status: number): Promise<Outcome> =>
  show(signInPage({ ...entryOf(visit, next), wrong }), status);

const NO_PASSWORDS = "Nobody signs in with a password here.";

/** Says the same, as slowly, whether the account or only the password is wrong. */
async function signIn(visit: Visit): Promise<Outcome> {
  const { database, config } = visit.app;
  const email = (visit.form.get("email") ?? "").trim().toLowerCase().slice(0, 320);
  const password = (visit.form.get("password") ?? "").slice(0, 4000);
  const next = localPath(visit.form.get("next"));
  if (config.passwordSignIn === "off") return refusedSignIn(visit, next, NO_PASSWORDS, 403);
  const again = { ...entryOf(visit, next), email };
  const user = await findUserByEmail(database.read, email);
  const subjects = await subjectsOf(visit, email, user?.id ?? "");
  const wait = await admit(database, subjects, Date.now());
  if (wait > 0) {
    const { wrong, headers } = tooManyTries(wait);
    return { ...show(signInPage({ ...again, wrong }), 429), headers };
  }
  const isRight = await checkPassword(user?.password_hash, password);
  if (user && !isRight) await auditFailure(visit, user);
  if (!user || !isRight) return show(signInPage({ ...again, wrong: "Email or password is wrong." }), 422);
  await forgive(database, subjects);
  if (user.disabled_at !== null) return show(signInPage({ ...again, wrong: DISABLED }), 403);
  return { ...goTo(next), ...(await beginSession(visit, user)) };
}

/** For who has proven that the account is theirs. */
export const DISABLED = "This account is disabled. Ask whoever runs this server.";

/** What the try is counted for. Asks the same of the store whether there is such an account or not. */
async function subjectsOf(visit: Visit, email: string, userId: string): Promise<Subject[]> {
  const { address, browserMark } = visit;
  const { database, secret } = visit.app;
  const isKnown = await isKnownAddress(database.read, userId, address, Date.now());
  const browser = userId === "" ? undefined : readBrowserMark(secret, userId, browserMark);
  return signInSubjects({ email, address, browser, isKnownAddress: isKnown });
}

export const entryPages = [
  publicGet("/", async ({ viewer }) => goTo(viewer ? HOME : "/sign-in")),
  publicGet("/sign-in", showSignIn),
  publicPost("/sign-in", signIn),
  post("/sign-out", async (visit) => {
    const { userId, sessionId } = visit.viewer;
    await visit.app.database.transaction(async (tx) => {
      await deleteSession(tx, userId, sessionId);
      await audit(tx, visit, "sign_out", auditWords.signedOut(visit.viewer.name));
    });
    return { ...goTo("/sign-in", "signed-out"), session: null };
  }),
  ...joinPages,
  ...resetPages,
];
