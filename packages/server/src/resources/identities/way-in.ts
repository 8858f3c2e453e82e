import type { Config } from "../../config.ts";
import type { Tx } from "../../db/database.ts";
import { AccountError } from "../accounts/account-error.ts";
import { findUserById } from "../accounts/queries.ts";
import { listPasskeys } from "../factors/queries.ts";
import { listIdentities } from "./queries.ts";

/** With what people sign in at this server. */
export interface WaysIn {
  readonly passwordSignIn: Config["passwordSignIn"];
  /** Browsers use passkeys with this server. */
  readonly hasPasskeys: boolean;
  readonly issuers: readonly string[];
}

/** For whoever has just taken a way in away, under the lock of the account: another one has to be left. */
export async function requireWayIn(tx: Tx, userId: string, server: WaysIn): Promise<void> {
  const user = await findUserById(tx, userId);
  if (server.passwordSignIn === "on" && user?.password_hash) return;
  if (server.hasPasskeys && (await listPasskeys(tx, userId)).length > 0) return;
  if ((await listIdentities(tx, userId)).some(({ issuer }) => server.issuers.includes(issuer))) return;
  throw new AccountError("This is your only way in. Add another one before you take it away.");
}
