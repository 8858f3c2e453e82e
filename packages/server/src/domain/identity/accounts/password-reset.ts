import type { Reader, Tx } from "../../../db/database.ts";
import { hashSecret } from "../../../http/callers/authenticate.ts";
import { newSecret } from "../../../ids.ts";
import { DAY_MS } from "../../../time.ts";

interface OfferedReset {
  /** The full value, available only now. */
  readonly secret: string;
  readonly expiresAt: number;
}

/** The lifetime of a link and, if it is mailed, the address. */
interface ResetWay {
  readonly lifeMs: number;
  readonly mailedTo: string | null;
}

const byOperator: ResetWay = { lifeMs: DAY_MS, mailedTo: null };

/** Creates the link with which this person sets a new password; an earlier link stops working. */
export async function offerReset(tx: Tx, userId: string, { lifeMs, mailedTo } = byOperator): Promise<OfferedReset> {
  const secret = newSecret();
  const expiresAt = Date.now() + lifeMs;
  const row = { token_hash: hashSecret(secret), expires_at: expiresAt, mailed_to: mailedTo };
  await tx
    .insertInto("password_resets")
    .values({ user_id: userId, ...row })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(row))
    .execute();
  return { secret, expiresAt };
}

/** A person who has set a password needs no pending link, and somebody else may have requested it. */
export const deleteReset = (tx: Tx, userId: string) =>
  tx.deleteFrom("password_resets").where("user_id", "=", userId).execute();

/** The person that an open link belongs to, if the account is active. */
export const findReset = (db: Reader, secret: string, now: number) =>
  db
    .selectFrom("password_resets as r")
    .innerJoin("users as u", "u.id", "r.user_id")
    .select(["u.id", "u.name", "u.email", "u.password_hash", "u.email_verified_at", "r.mailed_to"])
    .where("r.token_hash", "=", hashSecret(secret))
    .where("r.expires_at", ">", now)
    .where("u.disabled_at", "is", null)
    .executeTakeFirst();

/** Whether using the link proves, for the first time, access to the mailbox of the account's address. */
export const provesEmail = (reset: { email: string; email_verified_at: number | null; mailed_to: string | null }) =>
  reset.email_verified_at === null && reset.mailed_to === reset.email;

/** Uses up the link: only the first caller gets the person. */
export async function takeReset(tx: Tx, secret: string, now: number) {
  const user = await findReset(tx, secret, now);
  if (!user) return undefined;
  const taken = await tx
    .deleteFrom("password_resets")
    .where("token_hash", "=", hashSecret(secret))
    .returning("user_id")
    .executeTakeFirst();
  return taken && user;
}
