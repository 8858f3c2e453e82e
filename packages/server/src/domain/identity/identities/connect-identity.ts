import type { Config } from "../../../config.ts";
import type { Tx } from "../../../db/database.ts";
import type { Identity, IdentityProvider } from "../../../ports/identity-provider/identity-provider.ts";
import { AccountError } from "../accounts/account-error.ts";
import { lockEmail } from "../accounts/change-email.ts";
import { markVerified } from "../accounts/queries.ts";
import { checkDomain, unverified, verifiedEmail } from "./account-of-identity.ts";
import { findUserOfIdentity, insertIdentity, listIdentities } from "./queries.ts";

/** Links a provider's account to an account here, for a person who has proven that both are theirs. */
export async function connectIdentity(
  tx: Tx,
  provider: Pick<IdentityProvider, "name">,
  identity: Identity,
  userId: string,
  rules: Pick<Config, "oidcEmailDomains">,
): Promise<void> {
  const { issuer, subject } = identity;
  const verified = verifiedEmail(provider, identity);
  if (verified !== undefined) checkDomain(verified, rules);
  else if (rules.oidcEmailDomains.length > 0) throw unverified(provider, identity);
  // Same lock order as a first sign-in, which may be running for the same provider account.
  await lockEmail(tx, verified ?? `${issuer}\n${subject}`);
  const user = await tx.lock("user", "", userId);
  const opened = await findUserOfIdentity(tx, issuer, subject);
  if (opened && opened.id !== userId)
    throw new AccountError(`This account at ${provider.name} opens somebody else's account here.`);
  if ((await listIdentities(tx, userId)).some((other) => other.issuer === issuer))
    throw new AccountError(`An account at ${provider.name} is connected already. Disconnect it first.`);
  const now = Date.now();
  await insertIdentity(tx, { issuer, subject, user_id: userId, created_at: now, last_used_at: now });
  if (verified === user?.email) await markVerified(tx, userId, now);
}
