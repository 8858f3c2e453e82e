import type { Config } from "../../config.ts";
import type { Tx } from "../../db/database.ts";
import type { UserRow } from "../../db/schema/tables/accounts.ts";
import { hashSecret } from "../../http/callers/authenticate.ts";
import type { Identity, IdentityProvider } from "../../ports/identity-provider/identity-provider.ts";
import { AccountError } from "../accounts/account-error.ts";
import { createUser, normaliseEmail } from "../accounts/create-user.ts";
import { NO_PASSWORD } from "../accounts/password.ts";
import { findUserByEmail } from "../accounts/queries.ts";
import { lockAttempts } from "../attempts/slow-down.ts";
import { findUserOfIdentity, insertIdentity, listIdentities, updateIdentityUse } from "./queries.ts";

type IdentityRules = Pick<Config, "oidcNewAccounts" | "oidcEmailDomains" | "oidcWorkspace" | "oidcRole">;

export interface FoundAccount {
  readonly user: Pick<UserRow, "id" | "name" | "email" | "disabled_at">;
  /** How this provider's account came to open it: known from before, by its address now, or made for it. */
  readonly how: "known" | "linked" | "made";
}

/**
 * The account here that belongs to who a provider says it is: the one that this provider's account opened before, else
 * the one with the same verified address, else a new one. An address that the provider has not verified opens nothing.
 */
export async function accountOfIdentity(
  tx: Tx,
  provider: Pick<IdentityProvider, "name">,
  identity: Identity,
  rules: IdentityRules,
): Promise<FoundAccount> {
  const { issuer, subject } = identity;
  const email = verifiedEmail(provider, identity);
  // Two first sign-ins at once make one account.
  await lockAttempts(tx, `identity:${hashSecret(email ?? `${issuer}\n${subject}`)}`);
  const known = await findUserOfIdentity(tx, issuer, subject);
  if (email !== undefined) checkDomain(email, rules);
  if (known) {
    await updateIdentityUse(tx, issuer, subject, Date.now());
    return { user: known, how: "known" };
  }
  if (email === undefined) throw new AccountError(unverified(provider, identity));
  const now = Date.now();
  const same = await findUserByEmail(tx, email);
  if (same) {
    const others = (await listIdentities(tx, same.id)).filter((other) => other.issuer === issuer);
    if (others.length > 0) throw new AccountError(SOMEBODY_ELSES);
  } else if (rules.oidcNewAccounts === "off") throw new AccountError(NO_ACCOUNT);
  const user = same ?? (await makeAccount(tx, email, identity, rules));
  await insertIdentity(tx, { issuer, subject, user_id: user.id, created_at: now, last_used_at: now });
  return { user, how: same ? "linked" : "made" };
}

const NO_ACCOUNT = "You have no account here. Ask an owner of the workspace for an invitation.";

/** Providers give addresses of people who left to others. */
const SOMEBODY_ELSES =
  "The account here with your e-mail address belongs to another account of this provider. Ask whoever runs this server.";

const unverified = ({ name }: Pick<IdentityProvider, "name">, { email }: Identity): string =>
  email === undefined
    ? `${name} did not tell your e-mail address.`
    : `${name} has not verified your e-mail address. Verify it there, then try again.`;

function verifiedEmail(provider: Pick<IdentityProvider, "name">, identity: Identity): string | undefined {
  if (identity.email === undefined || !identity.isEmailVerified) return undefined;
  try {
    return normaliseEmail(identity.email);
  } catch {
    throw new AccountError(`${provider.name} tells an e-mail address that cannot be used here.`);
  }
}

function checkDomain(email: string, { oidcEmailDomains }: IdentityRules): void {
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
