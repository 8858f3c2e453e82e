const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** A block id: `block_` and a ULID, the time first. */
export function newBlockId(): string {
  let time = Date.now();
  let text = "";
  for (let i = 0; i < 10; i++) {
    text = DIGITS[time % 32] + text;
    time = Math.floor(time / 32);
  }
  for (const byte of crypto.getRandomValues(new Uint8Array(16))) text += DIGITS[byte % 32];
  return `block_${text}`;
}
