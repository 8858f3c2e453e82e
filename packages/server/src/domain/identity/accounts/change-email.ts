import type { Tx } from "../../../db/database.ts";
import { hashSecret } from "../../../http/callers/authenticate.ts";
import { lockAttempts } from "../attempts/slow-down.ts";
import { AccountError } from "./account-error.ts";
import { deleteEmailProof } from "./email-proof.ts";
import { deleteReset } from "./password-reset.ts";
import { findUserByEmail, updateUser } from "./queries.ts";

/** Serializes everyone who checks whether an address is free in order to take it. */
export const lockEmail = (tx: Tx, email: string) => lockAttempts(tx, `identity:${hashSecret(email)}`);

export async function refuseTakenEmail(tx: Tx, email: string): Promise<void> {
  await lockEmail(tx, email);
  if (await findUserByEmail(tx, email))
    throw new AccountError("This email cannot be used here. Sign in if it is yours.");
}

/** Changes the account's address. Links mailed to the previous one stop working. */
export async function changeEmail(tx: Tx, userId: string, email: string, verifiedAt: number | null): Promise<void> {
  await refuseTakenEmail(tx, email);
  await updateUser(tx, userId, { email, email_verified_at: verifiedAt });
  await deleteReset(tx, userId);
  await deleteEmailProof(tx, userId);
}
