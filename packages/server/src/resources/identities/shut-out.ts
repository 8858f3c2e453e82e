import type { Tx } from "../../db/database.ts";
import { deleteEmailProof } from "../accounts/email-proof.ts";
import { NO_PASSWORD } from "../accounts/password.ts";
import { deleteReset } from "../accounts/password-reset.ts";
import { updateUser } from "../accounts/queries.ts";
import { deletePasskeys } from "../factors/queries.ts";
import { deleteInvitationsBy } from "../invitations/queries.ts";
import { deleteSettingsOf } from "../notifications/queries.ts";
import { forgetAddresses } from "../sessions/known-places.ts";
import { deleteSessionsOf } from "../sessions/queries.ts";
import { revokeAllTokens } from "../tokens/queries.ts";
import { deleteIdentitiesOf } from "./queries.ts";

/**
 * For somebody who proves that the address of an account is theirs, when nobody had proven it before: whoever typed the
 * address in may be somebody else. Ends everything with which that person comes in, and every copy of what the account
 * is told. Codes of an authenticator app stay: they only keep people out.
 */
export async function shutOut(tx: Tx, userId: string, now: number): Promise<void> {
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
