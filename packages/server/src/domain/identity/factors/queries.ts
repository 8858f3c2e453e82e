import type { Reader, Tx } from "../../../db/database.ts";
import type { PasskeyRow } from "../../../db/schema/tables/sign-in.ts";

export const findTotp = (db: Reader, userId: string) =>
  db.selectFrom("totp_factors").selectAll().where("user_id", "=", userId).executeTakeFirst();

/** Whether sign-in asks for a code after the password. */
export const hasTotp = async (db: Reader, userId: string): Promise<boolean> =>
  ((await findTotp(db, userId))?.confirmed_at ?? null) !== null;

/**
 * Stores a secret that the person's app has yet to confirm. Replaces an earlier unconfirmed secret, never a confirmed
 * one.
 */
export const insertUnprovenTotp = (tx: Tx, userId: string, sealed: string, now: number) =>
  tx
    .insertInto("totp_factors")
    .values({ user_id: userId, sealed, confirmed_at: null, last_step: 0, created_at: now })
    .onConflict((conflict) =>
      conflict
        .column("user_id")
        .doUpdateSet({ sealed, last_step: 0, created_at: now })
        .where("totp_factors.confirmed_at", "is", null),
    )
    .execute();

/** Records that the code of this step was used; undefined if it or a later code was used before. */
export const takeStep = (tx: Tx, userId: string, step: number, sealed: string, now: number) =>
  tx
    .updateTable("totp_factors")
    .set((eb) => ({ last_step: step, sealed, confirmed_at: eb.fn.coalesce("confirmed_at", eb.val(now)) }))
    .where("user_id", "=", userId)
    .where("last_step", "<", step)
    .returning("user_id")
    .executeTakeFirst();

export const deleteTotp = (tx: Tx, userId: string) =>
  tx.deleteFrom("totp_factors").where("user_id", "=", userId).execute();

export const countRecoveryCodes = async (db: Reader, userId: string): Promise<number> =>
  (await db.selectFrom("recovery_codes").select("code_hash").where("user_id", "=", userId).execute()).length;

export async function replaceRecoveryCodes(tx: Tx, userId: string, hashes: readonly string[]): Promise<void> {
  await tx.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
  if (hashes.length > 0)
    await tx
      .insertInto("recovery_codes")
      .values(hashes.map((code_hash) => ({ user_id: userId, code_hash })))
      .execute();
}

/** Uses up a recovery code: only the first caller gets it. */
export const takeRecoveryCode = (tx: Tx, userId: string, codeHash: string) =>
  tx
    .deleteFrom("recovery_codes")
    .where("user_id", "=", userId)
    .where("code_hash", "=", codeHash)
    .returning("user_id")
    .executeTakeFirst();

export const listPasskeys = (db: Reader, userId: string) =>
  db.selectFrom("passkeys").selectAll().where("user_id", "=", userId).orderBy("id").execute();

export const findPasskey = (db: Reader, credentialId: string) =>
  db.selectFrom("passkeys").selectAll().where("credential_id", "=", credentialId).executeTakeFirst();

export const insertPasskey = (tx: Tx, row: PasskeyRow) =>
  tx
    .insertInto("passkeys")
    .values(row)
    .onConflict((conflict) => conflict.column("credential_id").doNothing())
    .returning("id")
    .executeTakeFirst();

export const updatePasskeyUse = (tx: Tx, id: string, counter: number, now: number) =>
  tx.updateTable("passkeys").set({ counter, last_used_at: now }).where("id", "=", id).execute();

export const deletePasskey = (tx: Tx, userId: string, id: string) =>
  tx.deleteFrom("passkeys").where("user_id", "=", userId).where("id", "=", id).returning("name").executeTakeFirst();

export const deletePasskeys = (tx: Tx, userId: string) =>
  tx.deleteFrom("passkeys").where("user_id", "=", userId).execute();

/** Deletes every factor except the password, for an operator helping somebody who lost their devices. */
export async function deleteFactors(tx: Tx, userId: string): Promise<void> {
  await deleteTotp(tx, userId);
  await replaceRecoveryCodes(tx, userId, []);
  await deletePasskeys(tx, userId);
}
