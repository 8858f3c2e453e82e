import type { Tx } from "../../../db/database.ts";
import { deleteSettingsOf } from "../../../notify/queries.ts";
import { deleteEmailProof } from "../accounts/email-proof.ts";
import { NO_PASSWORD } from "../accounts/password.ts";
import { deleteReset } from "../accounts/password-reset.ts";
import { updateUser } from "../accounts/queries.ts";
import { deletePasskeys } from "../factors/queries.ts";
import { deleteInvitationsBy } from "../invitations/queries.ts";
import { forgetAddresses } from "../sessions/known-addresses.ts";
import { deleteSessionsOf } from "../sessions/queries.ts";
import { revokeAllTokens } from "../tokens/queries.ts";
import { deleteIdentitiesOf } from "./queries.ts";

/**
 * Revokes everything that gives access to an account, and every subscription to its notifications, when somebody first
 * verifies its address: whoever entered the address may have been somebody else. The authenticator app stays, because
 * it only restricts access.
 */
export async function revokeAllCredentials(tx: Tx, userId: string, now: number): Promise<void> {
  await updateUser(tx, userId, { password_hash: NO_PASSWORD, email_verified_at: now });
  await deletePasskeys(tx, userId);
  await deleteIdentitiesOf(tx, userId);
  await deleteSessionsOf(tx, userId);
  await revokeAllTokens(tx, userId, now);
  await deleteReset(tx, userId);
  await deleteEmailProof(tx, userId);
  await deleteSettingsOf(tx, userId);
  await deleteInvitationsBy(tx, userId);
  await forgetAddresses(tx, userId);
}
