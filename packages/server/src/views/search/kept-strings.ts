/** A power of two. */
const slots = 1 << 14;
/** The engine copies a slice of up to this many units; a longer one would keep its whole text in memory. */
export const keptLength = 12;

const words: string[] = new Array(slots).fill("");

/** Begins and continues the hash that `wordIn` wants. */
export const hashStart = 0x811c9dc5 | 0;
export const hashNext = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193);

/**
 * The part of a text as a string, for at most `keptLength` units. Texts repeat their words: the string made for an
 * earlier one is used again, which also knows its own hash already.
 */
export function wordIn(text: string, start: number, end: number, hash: number): string {
  const slot = (hash ^ (hash >>> 15)) & (slots - 1);
  const known = words[slot]!;
  if (known.length === end - start && isAt(text, start, known)) return known;
  const word = text.slice(start, end);
  words[slot] = word;
  return word;
}

function isAt(text: string, start: number, word: string): boolean {
  for (let i = 0; i < word.length; i++) if (text.charCodeAt(start + i) !== word.charCodeAt(i)) return false;
  return true;
}

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
