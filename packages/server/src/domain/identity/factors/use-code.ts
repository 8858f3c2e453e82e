import { randomInt } from "node:crypto";
import type { Tx } from "../../../db/database.ts";
import { hashSecret } from "../../../http/callers/authenticate.ts";
import type { ServerSecret } from "../../../http/server-secret.ts";
import { seal, unseal } from "../../../mail/sealed.ts";
import { findTotp, insertUnprovenTotp, replaceRecoveryCodes, takeRecoveryCode, takeStep } from "./queries.ts";
import { newTotpSecret, stepOf } from "./totp.ts";

/** Creates a secret for the person's app. It takes effect only after a code has confirmed that the app has it. */
export async function beginTotp(tx: Tx, secret: ServerSecret, userId: string, now: number): Promise<void> {
  await insertUnprovenTotp(tx, userId, seal(secret, newTotpSecret(), "svc totp"), now);
}

/** The unconfirmed secret in base32. */
export async function unprovenTotp(tx: Tx, secret: ServerSecret, userId: string): Promise<string | undefined> {
  const row = await findTotp(tx, userId);
  return row && row.confirmed_at === null ? unseal(secret, row.sealed, "svc totp") : undefined;
}

/** Uses up a code of the app; false if it is wrong or was used. Re-seals the secret with the current key. */
export async function useAppCode(
  tx: Tx,
  secret: ServerSecret,
  userId: string,
  code: string,
  now: number,
): Promise<boolean> {
  const row = await findTotp(tx, userId);
  const key = row && unseal(secret, row.sealed, "svc totp");
  const step = key === undefined ? undefined : stepOf(key, code.replaceAll(/[\s-]/g, ""), now);
  if (key === undefined || step === undefined) return false;
  return (await takeStep(tx, userId, step, seal(secret, key, "svc totp"), now)) !== undefined;
}

/** The kind of code that was used. */
type UsedCode = "app" | "recovery" | undefined;

/** Accepts a code of the app or a recovery code. Only confirmed factors count. */
export async function useCode(
  tx: Tx,
  secret: ServerSecret,
  userId: string,
  code: string,
  now: number,
): Promise<UsedCode> {
  const row = await findTotp(tx, userId);
  if (!row || row.confirmed_at === null) return undefined;
  if (await useAppCode(tx, secret, userId, code, now)) return "app";
  return (await takeRecoveryCode(tx, userId, recoveryHash(code))) ? "recovery" : undefined;
}

const RECOVERY_CODES = 10;
/** Without look-alikes; 16 characters have about 77 bits. */
const LETTERS = "abcdefghjkmnpqrstvwxyz2346789";

const recoveryHash = (code: string): string => hashSecret(code.toLowerCase().replaceAll(/[\s-]/g, ""));

const newRecoveryCode = (): string =>
  Array.from({ length: 4 }, () => Array.from({ length: 4 }, () => LETTERS[randomInt(LETTERS.length)]).join("")).join(
    "-",
  );

/** Creates new recovery codes; the previous ones stop working. Only their hashes are stored. */
export async function makeRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  await replaceRecoveryCodes(tx, userId, codes.map(recoveryHash));
  return codes;
}
