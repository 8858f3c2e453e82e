import { fillsSlot, type Query, type Slot, type Unit } from "../query/query.ts";
import { classAt, SEPARATOR, widthAt } from "../text/characters.ts";
import { scan } from "../text/tokenizer.ts";
import { beginsSymbol } from "../text/word-parts.ts";
import type { TextMatch } from "./text-match.ts";

/** Any character except ASCII, the no-break space, and the usual dashes, quotation marks, bullets and dots. */
const rare = /[^\0-\x7f\xa0\u2010-\u2027]/;

/**
 * Whether all other characters than ASCII are separators: arrows, symbols and pictures are, and few texts contain
 * others.
 */
function isPlain(text: string): boolean {
  for (let at = text.search(rare); at >= 0 && at < text.length; at += widthAt(text, at))
    if (text.charCodeAt(at) > 0x7f && classAt(text, at) !== SEPARATOR) return false;
  return true;
}

/** The characters after a word that decide whether a symbol belongs to it. */
const SYMBOL_ROOM = 3;

/**
 * Matches of words and prefixes, not of phrases, in a text that contains a term literally apart from case: only words
 * that contain a term are tokenised. Undefined for other texts and queries.
 */
export function plainMatches(text: string, query: Query): TextMatch[] | undefined {
  const { required } = query;
  if (!required.every(isWord) || !isPlain(text)) return undefined;
  const lower = text.toLowerCase();
  const matches: TextMatch[] = [];
  for (const [i, { slots }] of required.entries()) for (const slot of slots) addMatches(text, lower, slot, i, matches);
  return matches;
}

const isWord = ({ slots }: Unit): boolean => slots.length === 1;

function addMatches(text: string, lower: string, slot: Slot, unit: number, matches: TextMatch[]): void {
  const { term } = slot;
  for (let at = lower.indexOf(term); at >= 0; ) {
    let start = at;
    let end = at;
    while (start > 0 && isWordUnit(lower.charCodeAt(start - 1))) start--;
    while (isWordUnit(lower.charCodeAt(end))) end++;
    const isWhole = start === at && fillsSlot(lower.slice(start, end), slot);
    const match = isWhole && !beginsSymbol(text, end) ? { start, end } : matchIn(text, start, end, slot);
    if (match) matches.push({ unit, start: match.start, end: match.end });
    at = lower.indexOf(term, Math.max(end, at + 1));
  }
}

const isWordUnit = (unit: number): boolean => (unit >= 97 && unit <= 122) || (unit >= 48 && unit <= 57);

/** The first matching token of the word. Nothing else begins with the found term, so the word's parts are checked. */
function matchIn(text: string, start: number, end: number, slot: Slot): { start: number; end: number } | undefined {
  let match: { start: number; end: number } | undefined;
  scan(text.slice(start, end + SYMBOL_ROOM), (term, from, to, position) => {
    if (position > 0 || match) return;
    if (fillsSlot(term, slot)) match = { start: start + from, end: start + to };
  });
  return match;
}
