import type { Query, Slot, Unit } from "../query/query.ts";
import { classAt, SEPARATOR, widthAt } from "../text/characters.ts";
import { scan } from "../text/tokenizer.ts";
import { beginsSymbol } from "../text/word-parts.ts";
import type { TextMatch } from "./text-match.ts";

/** Anything but ASCII, the space that does not break, and the usual dashes, quotation marks, bullets and dots. */
const rare = /[^\0-\x7f\xa0\u2010-\u2027]/;

/** Whether all but ASCII stands between words: arrows, signs and pictures do, and hardly a text has others. */
function isPlain(text: string): boolean {
  for (let at = text.search(rare); at >= 0 && at < text.length; at += widthAt(text, at))
    if (text.charCodeAt(at) > 0x7f && classAt(text, at) !== SEPARATOR) return false;
  return true;
}

/** What of a text after a word decides whether a symbol belongs to it. */
const SYMBOL_ROOM = 3;

/**
 * Matches of words and prefixes, not of phrases, in a text in which a term stands as it is written but for its case: only
 * words that have a term in them are read. Undefined for other texts and queries.
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
    const isWhole = start === at && (slot.prefix || end - start === term.length);
    const match = isWhole && !beginsSymbol(text, end) ? { start, end } : matchIn(text, start, end, slot);
    if (match) matches.push({ unit, start: match.start, end: match.end });
    at = lower.indexOf(term, Math.max(end, at + 1));
  }
}

const isWordUnit = (unit: number): boolean => (unit >= 97 && unit <= 122) || (unit >= 48 && unit <= 57);

/** The first token of the word that is asked for: as nothing else begins with what was found, its parts are read. */
function matchIn(text: string, start: number, end: number, slot: Slot): { start: number; end: number } | undefined {
  let match: { start: number; end: number } | undefined;
  scan(text.slice(start, end + SYMBOL_ROOM), (term, from, to, position) => {
    if (position > 0 || match) return;
    if (slot.prefix ? term.startsWith(slot.term) : term === slot.term) match = { start: start + from, end: start + to };
  });
  return match;
}
