import {
  ASCII_DIGIT,
  ASCII_LOWER,
  ASCII_UPPER,
  classAt,
  SURROGATE,
  unitClass,
  WORD_LOWER,
  WORD_UPPER,
} from "./characters.ts";
import { clipAscii, fold, foldAscii, MAX_TERM_LENGTH } from "./fold.ts";
import { camelParts, isVersion } from "./word-parts.ts";

/** A part under which a word is found besides its whole; `from` and `to` are offsets in the word. */
export type WordPart = { readonly term: string; readonly from: number; readonly to: number };

/** The indexed forms of a word, whatever is around it. */
type Word = {
  /** Empty if nothing of it can be indexed. */
  readonly term: string;
  /** Undefined for most words. */
  readonly parts: readonly WordPart[] | undefined;
};

export function readWord(raw: string): Word {
  const shape = shapeOf(raw);
  const isAscii = (shape & beyondAscii) === 0;
  const term = (shape & ~plainBits) === 0 ? clipAscii(raw) : isAscii ? foldAscii(raw) : fold(raw);
  return { term, parts: term === "" ? undefined : partsOf(raw, shape, isAscii, term) };
}

const lowerBits = (1 << ASCII_LOWER) | (1 << WORD_LOWER);
const beyondAscii = ~((1 << ASCII_LOWER) | (1 << ASCII_UPPER) | (1 << ASCII_DIGIT) | 1);
const plainBits = (1 << ASCII_LOWER) | (1 << ASCII_DIGIT);
/** An upper-case letter that is not the first. */
const UPPER_INSIDE = 1;

/** A bit for each class of characters in the word, and `upperInside`. */
function shapeOf(word: string): number {
  let shape = 0;
  for (let at = 0; at < word.length; ) {
    const kind = unitClass[word.charCodeAt(at)]!;
    const own = kind === SURROGATE ? classAt(word, at) : kind;
    shape |= 1 << own;
    if (at > 0 && (own === ASCII_UPPER || own === WORD_UPPER)) shape |= UPPER_INSIDE;
    at += kind === SURROGATE ? 2 : 1;
  }
  return shape;
}

function partsOf(raw: string, shape: number, isAscii: boolean, whole: string): readonly WordPart[] | undefined {
  const isCamel = (shape & UPPER_INSIDE) !== 0 && (shape & lowerBits) !== 0 && raw.length <= MAX_TERM_LENGTH;
  if (isCamel) return partsOfCamel(raw, isAscii ? foldAscii : fold, whole);
  return isAscii && isVersion(raw) ? [{ term: foldAscii(raw.slice(1)), from: 1, to: raw.length }] : undefined;
}

function partsOfCamel(raw: string, foldPart: (word: string) => string, whole: string): readonly WordPart[] {
  const parts: WordPart[] = [];
  const seen = [whole, ""];
  for (const [from, to] of camelParts(raw)) {
    const term = foldPart(raw.slice(from, to));
    if (seen.includes(term)) continue;
    parts.push({ term, from, to });
    seen.push(term);
  }
  return parts;
}

/** A power of two. */
const SLOTS = 1 << 15;
/** Slot width: length + UTF-16 units, one cache line. */
const WIDTH = 32;
const records = new Uint16Array(SLOTS * WIDTH);
const terms: string[] = new Array(SLOTS).fill("");
const parts: (readonly WordPart[] | undefined)[] = new Array(SLOTS).fill(undefined);

/** Words of up to this many UTF-16 units are stored, if they have at most KEPT_PARTS parts. */
export const keptLength = WIDTH - 1;
const KEPT_PARTS = 8;

/** The initial value of the hash for `slotOf`. */
export const HASH_START = 0;
export const hashNext = (hash: number, unit: number): number => ((hash << 5) - hash + unit) | 0;

/**
 * Finds the slot of a part of a text, at most `keptLength` units long. Texts repeat their words, so the data about one
 * is reused. Returns -1 for a word that has too many parts.
 */
export function slotOf(text: string, start: number, end: number, hash: number): number {
  const slot = Math.imul(hash, 0x9e3779b1) >>> 17;
  return isKept(text, start, end, slot * WIDTH) ? slot : keep(text, start, end, slot);
}

function isKept(text: string, start: number, end: number, record: number): boolean {
  if ((records[record]! & LENGTH_BITS) !== end - start) return false;
  for (let at = start, i = record + 1; at < end; at++, i++) if (text.charCodeAt(at) !== records[i]) return false;
  return true;
}

const LENGTH_BITS = 0xff;
/** Set beside the length. */
const HAS_PARTS_BIT = 0x100;

function keep(text: string, start: number, end: number, slot: number): number {
  const word = readWord(cutOut(text, start, end));
  if (word.parts !== undefined && word.parts.length > KEPT_PARTS) return -1;
  const record = slot * WIDTH;
  records[record] = (end - start) | (word.parts === undefined ? 0 : HAS_PARTS_BIT);
  for (let at = start, i = record + 1; at < end; at++, i++) records[i] = text.charCodeAt(at);
  terms[slot] = word.term;
  parts[slot] = word.parts;
  return slot;
}

export const termAt = (slot: number): string => terms[slot]!;
export const partsAt = (slot: number): Word["parts"] =>
  (records[slot * WIDTH]! & HAS_PARTS_BIT) === 0 ? undefined : parts[slot];

/** The engine copies a slice of up to this many units; for a longer one it keeps the whole text. */
const COPIED_LENGTH = 12;

/** Copies a part of a text, so that the text can be freed. */
function cutOut(text: string, start: number, end: number): string {
  const part = text.slice(start, end);
  return part.length <= COPIED_LENGTH ? part : ` ${part}`.slice(1);
}
