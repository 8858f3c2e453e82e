const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** The time, then chance: an id that nobody else makes. `crypto.randomUUID` is there with TLS alone. */
export function newUlid(): string {
  let time = Date.now();
  let text = "";
  for (let i = 0; i < 10; i++) {
    text = DIGITS[time % 32] + text;
    time = Math.floor(time / 32);
  }
  for (const byte of crypto.getRandomValues(new Uint8Array(16))) text += DIGITS[byte % 32];
  return text;
}

export const newBlockId = (): string => `block_${newUlid()}`;
