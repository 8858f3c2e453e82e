import { defined } from "../defined.ts";

/** Patterns up to this length are left to the engine, whose worst case is then a small multiple of linear. */
const SHORT_PATTERN = 64;

/** The offsets of all non-overlapping occurrences, leftmost first. Linear in the text for any pattern. */
export function findAll(text: string, pattern: string): number[] {
  if (pattern.length > text.length) return [];
  return pattern.length <= SHORT_PATTERN ? findShort(text, pattern) : findLong(text, pattern);
}

function findShort(text: string, pattern: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(pattern); at >= 0; at = text.indexOf(pattern, at + pattern.length)) found.push(at);
  return found;
}

/** Knuth, Morris and Pratt: no character of the text is looked at again after a mismatch. */
function findLong(text: string, pattern: string): number[] {
  const borders = borderTable(pattern);
  const found: number[] = [];
  let matched = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    while (matched > 0 && pattern.charCodeAt(matched) !== unit) matched = defined(borders[matched - 1]);
    if (pattern.charCodeAt(matched) === unit) matched++;
    if (matched === pattern.length) {
      found.push(i + 1 - matched);
      matched = 0;
    }
  }
  return found;
}

/** For each prefix of the pattern, the length of its longest proper border. */
function borderTable(pattern: string): Uint32Array {
  const borders = new Uint32Array(pattern.length);
  let length = 0;
  for (let i = 1; i < pattern.length; i++) {
    while (length > 0 && pattern.charCodeAt(length) !== pattern.charCodeAt(i)) length = defined(borders[length - 1]);
    if (pattern.charCodeAt(length) === pattern.charCodeAt(i)) length++;
    borders[i] = length;
  }
  return borders;
}
