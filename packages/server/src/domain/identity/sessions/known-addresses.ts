import { createHmac, timingSafeEqual } from "node:crypto";
import type { Reader, Tx } from "../../../db/database.ts";
import { hashSecret } from "../../../http/callers/authenticate.ts";
import { addressSubject } from "../../../http/limits/limit-addresses.ts";
import { type ServerSecret, validSecrets } from "../../../http/server-secret.ts";
import { newSecret } from "../../../ids.ts";
import { DAY_MS } from "../../../time.ts";

/** Addresses beyond this number, or unused for too long, are forgotten. */
const MAX_ADDRESSES = 20;
export const KNOWN_DAYS = 180;

const hashOf = (address: string): string => hashSecret(addressSubject(address));

/** Records that the person has signed in from this address; forgets the oldest if there are too many. */
export async function rememberAddress(tx: Tx, userId: string, address: string, now: number): Promise<void> {
  await tx
    .insertInto("sign_in_addresses")
    .values({ user_id: userId, address_hash: hashOf(address), seen_at: now })
    .onConflict((conflict) => conflict.columns(["user_id", "address_hash"]).doUpdateSet({ seen_at: now }))
    .execute();
  const kept = await tx
    .selectFrom("sign_in_addresses")
    .select("address_hash")
    .where("user_id", "=", userId)
    .where("seen_at", ">", now - KNOWN_DAYS * DAY_MS)
    .orderBy("seen_at", "desc")
    .limit(MAX_ADDRESSES)
    .execute();
  await tx
    .deleteFrom("sign_in_addresses")
    .where("user_id", "=", userId)
    .where("address_hash", "not in", kept.map(({ address_hash }) => address_hash).concat(""))
    .execute();
}

export const forgetAddresses = (tx: Tx, userId: string) =>
  tx.deleteFrom("sign_in_addresses").where("user_id", "=", userId).execute();

export async function isKnownAddress(db: Reader, userId: string, address: string, now: number): Promise<boolean> {
  const row = await db
    .selectFrom("sign_in_addresses")
    .select("seen_at")
    .where("user_id", "=", userId)
    .where("address_hash", "=", hashOf(address))
    .where("seen_at", ">", now - KNOWN_DAYS * DAY_MS)
    .executeTakeFirst();
  return row !== undefined;
}

interface SignInPlace {
  readonly userId: string;
  readonly address: string;
  /** The browser's cookie. */
  readonly browserMark: string | undefined;
}

/** Whether the person has signed in before, but neither with this browser nor from this address. */
export async function isNewLocation(
  db: Reader,
  secret: ServerSecret,
  { userId, address, browserMark: cookie }: SignInPlace,
  now: number,
): Promise<boolean> {
  if (readBrowserMark(secret, userId, cookie) !== undefined) return false;
  if (await isKnownAddress(db, userId, address, now)) return false;
  const earlier = await db
    .selectFrom("sign_in_addresses")
    .select("seen_at")
    .where("user_id", "=", userId)
    .limit(1)
    .executeTakeFirst();
  return earlier !== undefined;
}

const sign = (secret: string, userId: string, mark: string): string =>
  createHmac("sha256", secret).update(`browser:${userId}:${mark}`).digest("base64url");

/** The cookie that a browser keeps after signing in: a random mark, signed for this account. It grants no access. */
export function browserMark({ current }: ServerSecret, userId: string): string {
  const mark = newSecret();
  return `${mark}${sign(current, userId, mark)}`;
}

/** The browser's mark, if it was issued for this account. */
export function readBrowserMark(secret: ServerSecret, userId: string, cookie: string | undefined): string | undefined {
  const mark = cookie?.slice(0, MARK_LENGTH) ?? "";
  const given = Buffer.from(cookie?.slice(MARK_LENGTH) ?? "");
  const isSigned = validSecrets(secret).some((one) => {
    const expected = Buffer.from(sign(one, userId, mark));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return isSigned ? mark : undefined;
}

/** Length of 256 bits in base64url. */
const MARK_LENGTH = 43;
