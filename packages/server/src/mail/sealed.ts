import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { type ServerSecret, validSecrets } from "../http/server-secret.ts";

const CIPHER = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** The purpose of a sealed text; a text sealed for another purpose does not open. */
type SealUse = "svc mail" | "svc totp" | `svc ticket ${string}`;

const keyOf = (secret: string, use: SealUse) => Buffer.from(hkdfSync("sha256", secret, "", use, 32));

/** Encrypts a text with the server's secret: mails contain links that let their readers sign in. */
export function seal({ current }: ServerSecret, text: string, use: SealUse = "svc mail"): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(current, use), iv);
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64url");
}

/** Decrypts a text; undefined if no valid secret opens it. */
export function unseal(secret: ServerSecret, sealed: string, use: SealUse = "svc mail"): string | undefined {
  const bytes = Buffer.from(sealed, "base64url");
  for (const each of validSecrets(secret))
    try {
      const decipher = createDecipheriv(CIPHER, keyOf(each, use), bytes.subarray(0, IV_BYTES));
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString("utf8");
    } catch {
      // Another secret may open it.
    }
  return undefined;
}
