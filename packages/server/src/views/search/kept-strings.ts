/** A power of two. */
const slots = 1 << 14;

const pairCodes = new Uint32Array(slots);
const pairs: string[] = new Array(slots).fill("\0\0");

/** Two UTF-16 units as a string. */
export function pairOf(first: number, second: number): string {
  const code = ((first << 16) | second) >>> 0;
  const slot = Math.imul(code, 0x9e3779b1) >>> 18;
  if (pairCodes[slot] === code) return pairs[slot]!;
  const pair = String.fromCharCode(first, second);
  pairCodes[slot] = code;
  pairs[slot] = pair;
  return pair;
}
