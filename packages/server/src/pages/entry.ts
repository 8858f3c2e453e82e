import { signInPage } from "@svc/web/pages/entry";
import { checkPassword } from "../resources/accounts/password.ts";
import { findUserByEmail } from "../resources/accounts/queries.ts";
import { admit, forgive, signInSubjects } from "../resources/attempts/slow-down.ts";
import { deleteSession } from "../resources/sessions/queries.ts";
import { startSession } from "../resources/sessions/start-session.ts";
import { joinPages } from "./join.ts";
import { tooManyTries } from "./too-many-tries.ts";
import { goTo, HOME, localPath, type Outcome, post, publicGet, publicPost, show, type Visit } from "./visit.ts";

const reasonFor = (next: string): { reason?: string } =>
  next.startsWith("/device") ? { reason: "Sign in to connect your device." } : {};

async function showSignIn(visit: Visit): Promise<Outcome> {
  const next = localPath(visit.query.get("next"));
  if (visit.viewer) return goTo(next);
  return show(signInPage({ formToken: visit.formToken, next, ...reasonFor(next) }));
}

/** Says the same, as slowly, whether the account or only the password is wrong. */
async function signIn(visit: Visit): Promise<Outcome> {
  const { database } = visit.app;
  const email = (visit.form.get("email") ?? "").trim().toLowerCase().slice(0, 320);
  const password = (visit.form.get("password") ?? "").slice(0, 4000);
  const next = localPath(visit.form.get("next"));
  const again = { formToken: visit.formToken, next, email, ...reasonFor(next) };
  const subjects = signInSubjects(email, visit.address);
  const wait = await admit(database, subjects, Date.now());
  if (wait > 0) {
    const { wrong, headers } = tooManyTries(wait);
    return { ...show(signInPage({ ...again, wrong }), 429), headers };
  }
  const user = await findUserByEmail(database.read, email);
  if (!(await checkPassword(user?.password_hash, password)) || !user)
    return show(signInPage({ ...again, wrong: "Email or password is wrong." }), 422);
  await forgive(database, subjects);
  const session = await database.transaction((tx) => startSession(tx, user, visit.userAgent));
  return { ...goTo(next), session };
}

export const entryPages = [
  publicGet("/", async ({ viewer, query }) => goTo(viewer ? HOME : "/sign-in", query.get("done") ?? undefined)),
  publicGet("/sign-in", showSignIn),
  publicPost("/sign-in", signIn),
  post("/sign-out", async (visit) => {
    const { userId, sessionId } = visit.viewer;
    await visit.app.database.transaction((tx) => deleteSession(tx, userId, sessionId));
    return { ...goTo("/sign-in", "signed-out"), session: null };
  }),
  ...joinPages,
];
