import type { Ways } from "@svc/web/pages/sign-in/prove";
import { auditWords } from "../../resources/accounts/audit-words.ts";
import { checkPassword } from "../../resources/accounts/password.ts";
import { findUserByEmail } from "../../resources/accounts/queries.ts";
import { admit, factorSubjects, forgive, sessionSubjects } from "../../resources/attempts/slow-down.ts";
import { hasTotp, listPasskeys } from "../../resources/factors/queries.ts";
import { useCode } from "../../resources/factors/use-code.ts";
import { listIdentities } from "../../resources/identities/queries.ts";
import { updateProvenAt } from "../../resources/sessions/queries.ts";
import { audit, type MemberVisit } from "../visit.ts";
import { offerPasskey, takePasskey } from "./passkey-form.ts";
import { tooManyTries } from "./too-many-tries.ts";

/** How long a proof counts. */
const PROOF_MS = 10 * 60_000;

/** Whether the person has proven in this session, a few minutes ago at most, who they are. */
export const isProvenNow = ({ provenAt }: { readonly provenAt: number }, now = Date.now()): boolean =>
  // One from the future was noted before the clock was put back.
  provenAt <= now && now - provenAt < PROOF_MS;

/** Everything with which this person can prove who they are. */
export async function waysToProve(visit: MemberVisit): Promise<Ways> {
  const { app, viewer } = visit;
  const { read } = app.database;
  const [user, hasCode, keys, identities] = await Promise.all([
    findUserByEmail(read, viewer.email),
    hasTotp(read, viewer.userId),
    listPasskeys(read, viewer.userId),
    listIdentities(read, viewer.userId),
  ]);
  const ids = keys.map((key) => key.credential_id);
  const isLinked = (issuer: string) => identities.some((identity) => identity.issuer === issuer);
  return {
    hasPassword: app.config.passwordSignIn === "on" && Boolean(user?.password_hash),
    hasCode,
    passkey: ids.length > 0 ? offerPasskey(visit, ids) : undefined,
    providers: app.identityProviders.filter(({ issuer }) => isLinked(issuer)).map(({ key, name }) => ({ key, name })),
  };
}

/** What a form that is sent along with a proof may have of it. */
export const PROOF_FIELDS = ["proof", "proof_password", "proof_code", "proof_passkey", "proof_passkey_ticket"];

/** Takes the proof that a form brings. Undefined when it is right; else what was wrong with it. */
export async function takeProof(visit: MemberVisit): Promise<string | undefined> {
  const { app, viewer, form } = visit;
  const kind = readKind(form);
  if (!kind) return "Choose a way to prove that it is you.";
  const subjects = kind === "code" ? factorSubjects(viewer.userId) : sessionSubjects(viewer.sessionId);
  const wait = await admit(app.database, subjects, Date.now());
  if (wait > 0) return tooManyTries(wait).wrong;
  const wrong = await checks[kind](visit);
  if (wrong !== undefined) return wrong;
  await forgive(app.database, subjects);
  await noteProof(visit, kind);
  return undefined;
}

type Kind = keyof typeof HOW;

function readKind(form: URLSearchParams): Kind | undefined {
  const kind = form.get("proof") ?? "";
  return Object.hasOwn(HOW, kind) ? (kind as Kind) : undefined;
}

const HOW = { password: "their password", code: "a code", passkey: "a passkey" } as const;

/** The session counts as proven from now on. */
export const noteProof = (visit: MemberVisit, how: Kind | { readonly provider: string }): Promise<void> =>
  visit.app.database.transaction(async (tx) => {
    await updateProvenAt(tx, visit.viewer.sessionId, Date.now());
    const means = typeof how === "string" ? HOW[how] : how.provider;
    await audit(tx, visit, "prove", auditWords.proven(visit.viewer.name, means));
  });

/** Each returns what is wrong; undefined when nothing is. */
const checks: Readonly<Record<Kind, (visit: MemberVisit) => Promise<string | undefined>>> = {
  password: async ({ app, viewer, form }) => {
    if (app.config.passwordSignIn === "off") return "Passwords do not count here.";
    const user = await findUserByEmail(app.database.read, viewer.email);
    const isRight = await checkPassword(user?.password_hash, (form.get("proof_password") ?? "").slice(0, 4000));
    return isRight ? undefined : "The password is wrong.";
  },
  code: async ({ app, viewer, form }) => {
    const code = (form.get("proof_code") ?? "").slice(0, 100);
    const used = await app.database.transaction((tx) => useCode(tx, app.secret, viewer.userId, code, Date.now()));
    return used ? undefined : "The code is wrong, or was used before.";
  },
  passkey: async (visit) =>
    (await takePasskey(visit, "proof_")) === visit.viewer.userId
      ? undefined
      : "This passkey was not accepted. Try again.",
};
