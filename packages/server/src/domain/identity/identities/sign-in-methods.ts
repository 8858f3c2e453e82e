import type { Config } from "../../../config.ts";
import type { Tx } from "../../../db/database.ts";
import { AccountError } from "../accounts/account-error.ts";
import { findUserById } from "../accounts/queries.ts";
import { listPasskeys } from "../factors/queries.ts";
import { listIdentities } from "./queries.ts";

/** The sign-in methods that this server offers. */
export interface SignInMethods {
  readonly passwordSignIn: Config["passwordSignIn"];
  /** Whether browsers can use passkeys with this server. */
  readonly hasPasskeys: boolean;
  readonly issuers: readonly string[];
}

/** Call after removing a sign-in method, with the account locked: throws if none is left. */
export async function requireSignInMethod(tx: Tx, userId: string, server: SignInMethods): Promise<void> {
  const user = await findUserById(tx, userId);
  if (server.passwordSignIn === "on" && user?.password_hash) return;
  if (server.hasPasskeys && (await listPasskeys(tx, userId)).length > 0) return;
  if ((await listIdentities(tx, userId)).some(({ issuer }) => server.issuers.includes(issuer))) return;
  throw new AccountError("This is your only way in. Add another one before you take it away.");
}
