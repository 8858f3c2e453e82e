import type { Query, Slot, Unit } from "../query/query.ts";
import { scan } from "../text/tokenizer.ts";
import type { TextMatch } from "./find-matches.ts";

/** Anything but ASCII, the space that does not break, and the usual dashes, quotation marks, bullets and dots. */
const notPlain = /[^\0-\x7f\xa0\u2010-\u2027]/;

/** What of a text after a word decides whether a symbol belongs to it. */
const SYMBOL_ROOM = 3;

/**
 * Matches of words and prefixes, not of phrases, in a text in which a term stands as it is written but for its case: only
 * words that have a term in them are read. Undefined for other texts and queries.
 */
export function plainMatches(text: string, query: Query): TextMatch[] | undefined {
  if (!query.required.every((unit) => unit.slots.length === 1) || notPlain.test(text)) return undefined;
  const lower = text.toLowerCase();
  return query.required.flatMap((unit, i) => matchesOf(text, lower, unit, i));
}

function matchesOf(text: string, lower: string, { slots }: Unit, unit: number): TextMatch[] {
  const matches: TextMatch[] = [];
  const slot = slots[0]!;
  for (let at = lower.indexOf(slot.term); at >= 0; ) {
    const [start, end] = wordAround(lower, at);
    const match = matchIn(text, start, end, slot);
    if (match) matches.push({ unit, ...match });
    at = lower.indexOf(slot.term, Math.max(end, at + 1));
  }
  return matches;
}

/** Of a text in lower case. */
function wordAround(lower: string, at: number): [start: number, end: number] {
  let [start, end] = [at, at];
  while (start > 0 && isWordUnit(lower.charCodeAt(start - 1))) start--;
  while (isWordUnit(lower.charCodeAt(end))) end++;
  return [start, end];
}

const isWordUnit = (unit: number): boolean => (unit >= 97 && unit <= 122) || (unit >= 48 && unit <= 57);

/** The first token of the word that is asked for. */
function matchIn(text: string, start: number, end: number, slot: Slot): { start: number; end: number } | undefined {
  let match: { start: number; end: number } | undefined;
  scan(text.slice(start, end + SYMBOL_ROOM), (term, from, to, position) => {
    if (position > 0 || match) return;
    if (slot.prefix ? term.startsWith(slot.term) : term === slot.term) match = { start: start + from, end: start + to };
  });
  return match;
}
