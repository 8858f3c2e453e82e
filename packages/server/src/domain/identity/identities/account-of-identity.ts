import type { Config } from "../../../config.ts";
import type { Tx } from "../../../db/database.ts";
import type { UserRow } from "../../../db/schema/tables/accounts.ts";
import type { Identity, IdentityProvider } from "../../../ports/identity-provider/identity-provider.ts";
import { AccountError } from "../accounts/account-error.ts";
import { lockEmail } from "../accounts/change-email.ts";
import { createUser } from "../accounts/create-user.ts";
import { normaliseEmail } from "../accounts/email.ts";
import { NO_PASSWORD } from "../accounts/password.ts";
import { findUserByEmail, markVerified } from "../accounts/queries.ts";
import { deleteFactors } from "../factors/queries.ts";
import { findUserOfIdentity, insertIdentity, listIdentities, updateIdentityUse } from "./queries.ts";
import { revokeAllCredentials } from "./revoke-all-credentials.ts";

type IdentityRules = Pick<Config, "oidcNewAccounts" | "oidcEmailDomains" | "oidcWorkspace" | "oidcRole">;

export interface FoundAccount {
  readonly user: Pick<UserRow, "id" | "name" | "email" | "disabled_at">;
  /**
   * How the provider's account was matched: known before, linked by its address, a new account, or taken over from
   * somebody who gave this address but never verified it.
   */
  readonly how: "known" | "linked" | "made" | "taken over";
}

/** There is an account with the person's address, but the address was never verified. */
export class UnprovenAccount extends Error {}

/**
 * Finds the account for a provider's identity: the one it opened before, else the one with the same verified address,
 * else a new one. An address that the provider has not verified opens nothing. An account whose own address was never
 * verified is only taken over if the person agrees, and all its credentials are revoked.
 */
export async function accountOfIdentity(
  tx: Tx,
  provider: Pick<IdentityProvider, "name">,
  identity: Identity,
  rules: IdentityRules,
  mayTakeOver = false,
): Promise<FoundAccount> {
  const { issuer, subject } = identity;
  const email = verifiedEmail(provider, identity);
  // Two concurrent first sign-ins must create only one account.
  await lockEmail(tx, email ?? `${issuer}\n${subject}`);
  const known = await findUserOfIdentity(tx, issuer, subject);
  if (email !== undefined) checkDomain(email, rules);
  if (known) {
    await updateIdentityUse(tx, issuer, subject, Date.now());
    if (email === known.email) await markVerified(tx, known.id, Date.now());
    return { user: known, how: "known" };
  }
  if (email === undefined) throw unverified(provider, identity);
  const now = Date.now();
  const same = await findUserByEmail(tx, email);
  // A disabled account stays unlinked: enabling it again would open it to both.
  if (same && same.disabled_at !== null) return { user: same, how: "known" };
  if (!same && rules.oidcNewAccounts === "off") throw new AccountError(NO_ACCOUNT);
  const how = same ? await claim(tx, same, issuer, mayTakeOver) : "made";
  const user = same ?? (await makeAccount(tx, email, identity, rules));
  await insertIdentity(tx, { issuer, subject, user_id: user.id, created_at: now, last_used_at: now });
  return { user, how };
}

/** Ensures that nobody else can enter the account that is about to be opened by its address. */
async function claim(tx: Tx, user: UserRow, issuer: string, mayTakeOver: boolean): Promise<"linked" | "taken over"> {
  if (user.email_verified_at !== null) {
    const others = (await listIdentities(tx, user.id)).filter((other) => other.issuer === issuer);
    if (others.length > 0) throw new AccountError(SOMEBODY_ELSES);
    return "linked";
  }
  if (!mayTakeOver) throw new UnprovenAccount();
  await revokeAllCredentials(tx, user.id, Date.now());
  await deleteFactors(tx, user.id);
  return "taken over";
}

const NO_ACCOUNT = "You have no account here. Ask an owner of the workspace for an invitation.";

/** Providers may reassign addresses of people who left. */
const SOMEBODY_ELSES =
  "The account here with your e-mail address belongs to another account of this provider. Ask whoever runs this server.";

export const unverified = ({ name }: Pick<IdentityProvider, "name">, { email }: Identity): AccountError =>
  new AccountError(
    email === undefined
      ? `${name} did not send your e-mail address.`
      : `${name} has not verified your e-mail address. Verify it there, then try again.`,
  );

export function verifiedEmail(provider: Pick<IdentityProvider, "name">, identity: Identity): string | undefined {
  if (identity.email === undefined || !identity.isEmailVerified) return undefined;
  try {
    return normaliseEmail(identity.email);
  } catch {
    throw new AccountError(`${provider.name} sent an e-mail address that cannot be used here.`);
  }
}

export function checkDomain(email: string, { oidcEmailDomains }: Pick<IdentityRules, "oidcEmailDomains">): void {
  const domain = email.slice(email.lastIndexOf("@") + 1);
  const allowed = oidcEmailDomains.map((each) => each.toLowerCase().replace(/^@/, ""));
  if (allowed.length > 0 && !allowed.includes(domain))
    throw new AccountError(`Addresses at ${domain} may not sign in here.`);
}

async function makeAccount(tx: Tx, email: string, identity: Identity, rules: IdentityRules) {
  const name = (identity.name ?? "").replace(/\p{Cc}/gu, " ").trim() || (email.split("@")[0] ?? email);
  const { oidcWorkspace: workspace, oidcRole } = rules;
  const role = workspace === undefined ? undefined : oidcRole;
  const made = await createUser(tx, { email, name: name.slice(0, 200), passwordHash: NO_PASSWORD, workspace, role });
  return { id: made.userId, name: made.name, email: made.email, disabled_at: null };
}
