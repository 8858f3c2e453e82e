/** A power of two. */
const SLOTS = 1 << 15;

const pairCodes = new Uint32Array(SLOTS);
/**
 * Empty for a pair that was seen only once: most of those never come again, and storing one takes longer than making
 * it.
 */
const pairs: string[] = new Array(SLOTS).fill("");

/** Two UTF-16 units as a string. */
export function pairOf(first: number, second: number): string {
  const code = ((first << 16) | second) >>> 0;
  const slot = Math.imul(code, 0x9e3779b1) >>> 17;
  if (pairCodes[slot] !== code) {
    pairCodes[slot] = code;
    pairs[slot] = "";
    return String.fromCharCode(first, second);
  }
  const known = pairs[slot]!;
  if (known !== "") return known;
  const pair = String.fromCharCode(first, second);
  pairs[slot] = pair;
  return pair;
}
