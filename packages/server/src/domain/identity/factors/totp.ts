import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** Time-based codes (RFC 6238, based on RFC 4226) of authenticator apps: SHA-1, 30 seconds, six digits. */

const STEP_MS = 30_000;
const DIGITS = 6;
/** Phone clocks differ, so codes of the previous and next step are accepted too. */
const NEIGHBOURS = [0, -1, 1];

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Without padding, as apps expect. */
export function base32(bytes: Uint8Array): string {
  let bits = "";
  for (const byte of bytes) bits += byte.toString(2).padStart(8, "0");
  return (bits.match(/.{1,5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five.padEnd(5, "0"), 2)]).join("");
}

export function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** 160 bits, as RFC 4226 recommends. */
export const newTotpSecret = (): string => base32(randomBytes(20));

export const stepAt = (now: number): number => Math.floor(now / STEP_MS);

export function codeAt(secret: Uint8Array, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac("sha1", secret).update(counter).digest();
  const offset = (hash.at(-1) ?? 0) & 15;
  return String((hash.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits).padStart(digits, "0");
}

/** The step of a code that is valid now; undefined for a wrong code. */
export function stepOf(secret: string, code: string, now: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const key = fromBase32(secret);
  return NEIGHBOURS.map((away) => stepAt(now) + away).find((step) =>
    timingSafeEqual(Buffer.from(codeAt(key, step)), Buffer.from(code)),
  );
}

/** The address that an app reads from the QR code. */
export function otpauthUrl(secret: string, email: string, service: string): string {
  const label = `${encodeURIComponent(service)}:${encodeURIComponent(email)}`;
  return `otpauth://totp/${label}?${new URLSearchParams({ secret, issuer: service })}`;
}
