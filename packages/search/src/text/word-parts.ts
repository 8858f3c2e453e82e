import { ASCII_LOWER, ASCII_UPPER, classAt, isExtension, WORD_LOWER, WORD_UPPER, widthAt } from "./characters.ts";

const isUpper = (kind: number): boolean => kind === ASCII_UPPER || kind === WORD_UPPER;
const isLower = (kind: number): boolean => kind === ASCII_LOWER || kind === WORD_LOWER;

/**
 * The ends of the parts of a camelCase word. A part begins at an upper-case letter after a lower-case one (`user|Name`)
 * and at the last upper-case letter before a lower-case one (`HTTP|Server`). Digits and letters without case belong to
 * the part before them and leave the case as it was, so hexadecimal and base-32 identifiers stay whole.
 */
function partEnds(word: string): number[] {
  const ends: number[] = [];
  let previousUpper = false;
  let previousLower = false;
  let lastUpperAt = 0;
  for (let at = 0; at < word.length; at += widthAt(word, at)) {
    const kind = classAt(word, at);
    if (isExtension(kind)) continue;
    if (isUpper(kind)) {
      if (previousLower) ends.push(at);
      lastUpperAt = at;
      previousUpper = true;
      previousLower = false;
    } else if (isLower(kind)) {
      const begun = ends.length > 0 ? ends[ends.length - 1]! : 0;
      if (previousUpper && lastUpperAt > begun) ends.push(lastUpperAt);
      previousUpper = false;
      previousLower = true;
    }
  }
  if (ends.length > 0) ends.push(word.length);
  return ends;
}

/**
 * The number of consecutive parts that are also indexed joined, anywhere in the word; its beginnings and ends may have
 * any length.
 */
const JOINED_PARTS = 3;

/**
 * Ranges under which a camelCase word is found besides its whole: its parts, and consecutive parts (`user`, `username`
 * and `nameby` of `getUserNameBy`), so that a shorter identifier is found in a longer one.
 */
export function camelParts(word: string): [from: number, to: number][] {
  const ends = partEnds(word);
  const ranges: [number, number][] = [];
  for (let first = 0; first < ends.length; first++) {
    const from = first === 0 ? 0 : ends[first - 1]!;
    for (let last = first; last < ends.length; last++) {
      const isWanted = last - first < JOINED_PARTS || last === ends.length - 1;
      if (isWanted) ranges.push([from, ends[last]!]);
    }
  }
  return ranges;
}

/** `v` before a number marks a version: the number is found without it. */
const VERSION_LETTER = 118;
const versionNumber = /^[vV][0-9]+$/;
export const isVersion = (word: string): boolean =>
  (word.charCodeAt(0) | 32) === VERSION_LETTER && versionNumber.test(word);

const PLUS = 43;
const HASH = 35;
const isAsciiLetter = (unit: number): boolean => (unit | 32) >= 97 && (unit | 32) <= 122;

/** Whether `symbolSuffix` may find something at `at`. */
export function beginsSymbol(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit === PLUS || unit === HASH;
}

/**
 * Length of the symbol that belongs to the word ending at `end`: `++` after letters unless more letters follow (`C++`,
 * `C++17`), `#` after a single letter that nothing follows (`C#`, `F#`); otherwise 0.
 */
export function symbolSuffix(text: string, start: number, end: number): number {
  const unit = text.charCodeAt(end);
  if (unit !== PLUS && unit !== HASH) return 0;
  if (!isAsciiLetter(text.charCodeAt(end - 1))) return 0;
  if (unit === HASH) return end - start === 1 && !continuesWord(text, end + 1) ? 1 : 0;
  const next = text.charCodeAt(end + 2);
  return text.charCodeAt(end + 1) === PLUS && next !== PLUS && !isAsciiLetter(next) ? 2 : 0;
}

function continuesWord(text: string, at: number): boolean {
  if (at >= text.length) return false;
  const unit = text.charCodeAt(at);
  return unit === HASH || classAt(text, at) !== 0;
}
