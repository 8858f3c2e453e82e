import type { Reader, Tx } from "../../../db/database.ts";
import { hashSecret } from "../../../http/callers/authenticate.ts";
import { newSecret } from "../../../ids.ts";
import { mailBaseUrl } from "../../../mail/mail-url.ts";
import { queueMail } from "../../../mail/queue-mail.ts";
import type { Services } from "../../../services.ts";
import { DAY_MS, HOUR_MS } from "../../../time.ts";
import { takeOfWindow } from "../attempts/take-of-window.ts";
import { AccountError } from "./account-error.ts";
import { mailOriginOf } from "./mail-origin.ts";

/** Limit of verification mails per account and hour. */
const MAILS_PER_HOUR = 5;

/**
 * Mails the link with which a person verifies their address; an earlier link stops working. The link works only in a
 * session of the same account, so a recipient cannot verify somebody else's account by mistake.
 */
export async function mailEmailProof(app: Services, tx: Tx, userId: string, email: string): Promise<void> {
  const now = Date.now();
  if ((await takeOfWindow(tx, `proof-mail:${userId}`, MAILS_PER_HOUR, HOUR_MS, now)) > 0)
    throw new AccountError(`You have had ${MAILS_PER_HOUR} such mails sent within an hour: try again later.`);
  const secret = newSecret();
  const row = { email, token_hash: hashSecret(secret), expires_at: now + DAY_MS };
  await tx
    .insertInto("email_proofs")
    .values({ user_id: userId, ...row })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(row))
    .execute();
  const url = `${mailBaseUrl(app.config)}/account/email/${secret}`;
  await queueMail(app, tx, proofMail(email, url), await mailOriginOf(tx, userId));
}

/** Contains no text from the user: the mail could otherwise be abused to send messages to strangers. */
const proofMail = (to: string, url: string) => ({
  to,
  subject: "Is this your e-mail address?",
  text: [
    "Hello,",
    "this address was given for an account of yours. Open this link within a day, in a browser where you are signed in, to say that it is yours:",
    url,
    "If you have no such account, there is nothing to do: without you the address counts for nothing.",
  ].join("\n\n"),
});

/** A person's open verification link. */
export const findEmailProof = (db: Reader, userId: string, now: number) =>
  db
    .selectFrom("email_proofs")
    .select(["email", "token_hash"])
    .where("user_id", "=", userId)
    .where("expires_at", ">", now)
    .executeTakeFirst();

/** Uses up the link and returns the address it verifies; only the first caller gets it. */
export const takeEmailProof = (tx: Tx, userId: string, secret: string, now: number) =>
  tx
    .deleteFrom("email_proofs")
    .where("user_id", "=", userId)
    .where("token_hash", "=", hashSecret(secret))
    .where("expires_at", ">", now)
    .returning("email")
    .executeTakeFirst();

export const deleteEmailProof = (tx: Tx, userId: string) =>
  tx.deleteFrom("email_proofs").where("user_id", "=", userId).execute();
