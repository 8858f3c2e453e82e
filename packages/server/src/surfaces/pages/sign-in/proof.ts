import type { Ways } from "@svc/web/server/pages/sign-in/prove";
import { auditWords } from "../../../domain/identity/accounts/audit-words.ts";
import { checkPassword } from "../../../domain/identity/accounts/password.ts";
import { findUserByEmail } from "../../../domain/identity/accounts/queries.ts";
import { admit, factorSubjects, forgive, sessionSubjects } from "../../../domain/identity/attempts/slow-down.ts";
import { hasTotp, listPasskeys } from "../../../domain/identity/factors/queries.ts";
import { useCode } from "../../../domain/identity/factors/use-code.ts";
import { listIdentities } from "../../../domain/identity/identities/queries.ts";
import { updateProvenAt } from "../../../domain/identity/sessions/queries.ts";
import { audit, type MemberVisit } from "../visit.ts";
import { offerPasskey, takePasskey } from "./passkey-form.ts";
import { tooManyTries } from "./too-many-tries.ts";

/** How long a proof is valid. */
const PROOF_MS = 10 * 60_000;

/** Whether the person has proven who they are in this session within the last minutes. */
export const isProvenNow = ({ provenAt }: { readonly provenAt: number }, now = Date.now()): boolean =>
  // A time in the future was recorded before the clock was set back.
  provenAt <= now && now - provenAt < PROOF_MS;

/** Every method by which this person can prove who they are. */
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

/** The proof fields that a form may contain. */
export const PROOF_FIELDS = ["proof", "proof_password", "proof_code", "proof_passkey", "proof_passkey_ticket"];

/** Checks the proof in a form. Returns undefined if it is right, otherwise what is wrong with it. */
export async function takeProof(visit: MemberVisit): Promise<string | undefined> {
  const { app, viewer, form } = visit;
  const kind = readKind(form);
  if (!kind) return "Choose how to confirm it’s you.";
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

/** Marks the session as proven. */
export const noteProof = (visit: MemberVisit, how: Kind | { readonly provider: string }): Promise<void> =>
  visit.app.database.transaction(async (tx) => {
    await updateProvenAt(tx, visit.viewer.sessionId, Date.now());
    const means = typeof how === "string" ? HOW[how] : how.provider;
    await audit(tx, visit, "prove", auditWords.proven(visit.viewer.name, means));
  });

/** Each returns what is wrong; undefined if nothing is. */
const checks: Readonly<Record<Kind, (visit: MemberVisit) => Promise<string | undefined>>> = {
  password: async ({ app, viewer, form }) => {
    if (app.config.passwordSignIn === "off") return "Passwords are not used on this server.";
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
