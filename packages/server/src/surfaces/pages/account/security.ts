import { recoveryCodesPage, securityPage, totpPage } from "@svc/web/server/pages/account/security";
import { encode } from "uqr";
import type { IdentityRow } from "../../../db/schema/tables/sign-in.ts";
import { auditWords } from "../../../domain/identity/accounts/audit-words.ts";
import { normaliseName } from "../../../domain/identity/accounts/create-user.ts";
import { findUserById } from "../../../domain/identity/accounts/queries.ts";
import { admit, factorSubjects, forgive } from "../../../domain/identity/attempts/slow-down.ts";
import { addPasskey, creationOptions, siteOf } from "../../../domain/identity/factors/passkeys.ts";
import {
  countRecoveryCodes,
  deletePasskey,
  deleteTotp,
  hasTotp,
  listPasskeys,
  replaceRecoveryCodes,
} from "../../../domain/identity/factors/queries.ts";
import { readTicket, spendTicket } from "../../../domain/identity/factors/ticket.ts";
import { otpauthUrl } from "../../../domain/identity/factors/totp.ts";
import { beginTotp, makeRecoveryCodes, unprovenTotp, useAppCode } from "../../../domain/identity/factors/use-code.ts";
import { listIdentities } from "../../../domain/identity/identities/queries.ts";
import { requireSignInMethod, type SignInMethods } from "../../../domain/identity/identities/sign-in-methods.ts";
import { deviceName } from "../sign-in/device-name.ts";
import { catchComplaint, isComplaint } from "../sign-in/new-account.ts";
import { ticketFor } from "../sign-in/passkey-form.ts";
import { isProvenNow } from "../sign-in/proof.ts";
import { withProof } from "../sign-in/prove.ts";
import { tooManyTries } from "../sign-in/too-many-tries.ts";
import { get, goTo, type MemberVisit, type Outcome, post, show } from "../visit.ts";
import { auditChange } from "./audit-change.ts";

export const SECURITY = "/account/security";

export async function showSecurity(visit: MemberVisit, wrong?: string): Promise<Outcome> {
  const { app, viewer, formToken } = visit;
  const { read } = app.database;
  const { userId } = viewer;
  const [user, hasCodes, codesLeft, passkeys, identities] = await Promise.all([
    findUserById(read, userId),
    hasTotp(read, userId),
    countRecoveryCodes(read, userId),
    listPasskeys(read, userId),
    listIdentities(read, userId),
  ]);
  const isProven = isProvenNow(viewer);
  return show(
    securityPage({
      formToken,
      isProven,
      hasPassword: Boolean(user?.password_hash) && app.config.passwordSignIn === "on",
      hasCodes,
      codesLeft,
      passkeys: passkeys.map(({ id, name, created_at, last_used_at }) => ({
        id,
        name,
        createdAt: created_at,
        lastUsedAt: last_used_at,
      })),
      passkey: isProven
        ? await makingOffer(
            visit,
            passkeys.map((key) => key.credential_id),
          )
        : undefined,
      canHavePasskeys: siteOf(visit.baseUrl) !== undefined,
      newPasskeyName: deviceName(visit.userAgent),
      ...elsewhere(visit, identities),
      now: Date.now(),
      wrong,
    }),
    wrong === undefined ? 200 : 422,
  );
}

/** The provider accounts that sign the person in, and the other providers that could. */
function elsewhere({ app }: MemberVisit, identities: readonly IdentityRow[]) {
  const nameOf = (issuer: string) => app.identityProviders.find((each) => each.issuer === issuer)?.name ?? issuer;
  const isConnected = (issuer: string) => identities.some((each) => each.issuer === issuer);
  return {
    identities: identities.map(({ issuer, created_at }) => ({ issuer, name: nameOf(issuer), since: created_at })),
    providers: app.identityProviders
      .filter(({ issuer }) => !isConnected(issuer))
      .map(({ key, name }) => ({ key, name })),
  };
}

/** The sign-in methods of this server. */
export const waysIn = ({ app, baseUrl }: MemberVisit): SignInMethods => ({
  passwordSignIn: app.config.passwordSignIn,
  hasPasskeys: siteOf(baseUrl) !== undefined,
  issuers: app.identityProviders.map(({ issuer }) => issuer),
});

async function makingOffer(visit: MemberVisit, existing: readonly string[]) {
  const site = siteOf(visit.baseUrl);
  if (!site) return undefined;
  const options = await creationOptions(site, visit.viewer, existing);
  return { options: JSON.stringify(options), ticket: ticketFor(visit, options.challenge) };
}

/** The secret as a QR code for authenticator apps. */
function qrPath(text: string): { readonly path: string; readonly size: number } {
  const { data, size } = encode(text, { border: 2 });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join("");
  return { path, size };
}

async function showTotp(visit: MemberVisit, wrong?: string, status = 200): Promise<Outcome> {
  const { app, viewer, formToken } = visit;
  if (!isProvenNow(viewer)) return goTo(`/prove?next=${encodeURIComponent(`${SECURITY}/totp`)}`);
  const secret = await app.database.transaction((tx) => unprovenTotp(tx, app.secret, viewer.userId));
  if (secret === undefined) return goTo(SECURITY);
  const url = otpauthUrl(secret, viewer.email, `svc ${new URL(visit.baseUrl).hostname}`);
  return show(totpPage({ formToken, secret, url, qr: qrPath(url), wrong }), status);
}

async function startTotp(visit: MemberVisit): Promise<Outcome> {
  const { app, viewer } = visit;
  await app.database.transaction((tx) => beginTotp(tx, app.secret, viewer.userId, Date.now()));
  return goTo(`${SECURITY}/totp`);
}

/** The first code proves that the app has the secret; from then on every sign-in asks for a code. */
async function confirmTotp(visit: MemberVisit): Promise<Outcome> {
  const { app, viewer, form } = visit;
  const subjects = factorSubjects(viewer.userId);
  const wait = await admit(app.database, subjects, Date.now());
  if (wait > 0) return showTotp(visit, tooManyTries(wait).wrong, 429);
  const code = (form.get("code") ?? "").slice(0, 100);
  const codes = await app.database.transaction(async (tx) => {
    if ((await unprovenTotp(tx, app.secret, viewer.userId)) === undefined) return undefined;
    if (!(await useAppCode(tx, app.secret, viewer.userId, code, Date.now()))) return undefined;
    await auditChange(tx, visit, "totp_on", auditWords.totpOn(viewer.name));
    return makeRecoveryCodes(tx, viewer.userId);
  });
  if (!codes) return showTotp(visit, "The code is wrong. Check your device’s clock, and try again.", 422);
  await forgive(app.database, subjects);
  return show(recoveryCodesPage({ codes, isFirst: true }), 201);
}

async function renewRecoveryCodes(visit: MemberVisit): Promise<Outcome> {
  const { app, viewer } = visit;
  if (!(await hasTotp(app.database.read, viewer.userId))) return goTo(SECURITY);
  const codes = await app.database.transaction(async (tx) => {
    await auditChange(tx, visit, "make_recovery_codes", auditWords.recoveryCodesMade(viewer.name));
    return makeRecoveryCodes(tx, viewer.userId);
  });
  return show(recoveryCodesPage({ codes, isFirst: false }), 201);
}

async function endTotp(visit: MemberVisit): Promise<Outcome> {
  const { userId, name } = visit.viewer;
  await visit.app.database.transaction(async (tx) => {
    const wasOn = await hasTotp(tx, userId);
    await deleteTotp(tx, userId);
    await replaceRecoveryCodes(tx, userId, []);
    if (wasOn) await auditChange(tx, visit, "totp_off", auditWords.totpOff(name));
  });
  return goTo(SECURITY, "totp-off");
}

async function keepPasskey(visit: MemberVisit): Promise<Outcome> {
  const { app, form, formToken, viewer, baseUrl } = visit;
  const site = siteOf(baseUrl);
  const ticket = readTicket<string>(app.secret, "passkey", formToken, form.get("passkey_ticket"));
  if (!site || !ticket) return showSecurity(visit, "That took too long. Try again.");
  const refused = await catchComplaint(async () => {
    const name = normaliseName((form.get("name") ?? "").slice(0, 100));
    const answer = form.get("passkey") ?? "";
    await app.database.transaction(async (tx) => {
      await addPasskey(tx, site, viewer.userId, { name, answer, challenge: ticket.data });
      await spendTicket(tx, ticket);
      await auditChange(tx, visit, "add_passkey", auditWords.passkeyAdded(viewer.name, name), 201);
    });
  });
  return isComplaint(refused) ? showSecurity(visit, refused.complaint) : goTo(SECURITY, "passkey-added");
}

async function endPasskey(visit: MemberVisit): Promise<Outcome> {
  const { app, form, viewer } = visit;
  const { userId, name } = viewer;
  const done = await catchComplaint(() =>
    app.database.transaction(async (tx) => {
      await tx.lock("user", "", userId);
      const gone = await deletePasskey(tx, userId, form.get("passkey") ?? "");
      if (!gone) return;
      await requireSignInMethod(tx, userId, waysIn(visit));
      await auditChange(tx, visit, "remove_passkey", auditWords.passkeyRemoved(name, gone.name));
    }),
  );
  return isComplaint(done) ? showSecurity(visit, done.complaint) : goTo(SECURITY, "passkey-removed");
}

export const securityPages = [
  get(SECURITY, (visit) => showSecurity(visit)),
  get(`${SECURITY}/totp`, (visit) => showTotp(visit)),
  withProof(post(`${SECURITY}/totp`, startTotp)),
  withProof(post(`${SECURITY}/totp/confirm`, confirmTotp)),
  withProof(post(`${SECURITY}/totp/remove`, endTotp)),
  withProof(post(`${SECURITY}/recovery-codes`, renewRecoveryCodes)),
  withProof(post(`${SECURITY}/passkeys`, keepPasskey)),
  withProof(post(`${SECURITY}/passkeys/remove`, endPasskey)),
];
