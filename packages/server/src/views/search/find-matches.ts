import { clusterEnd } from "./characters.ts";
import type { Query, Slot, Unit } from "./query.ts";
import { scan, type Token } from "./tokenizer.ts";

/** Where a required unit stands in a text. */
export type TextMatch = { readonly unit: number; readonly start: number; readonly end: number };

/** UTF-16 units looked at: first a little, then more, then around a literal occurrence of a term. */
const firstRegion = 16 * 1024;
const secondRegion = 128 * 1024;
const leadIn = 1024;

/** Matches of the query, ascending by start, in a bounded part of the text: all of it unless it is huge. */
export function findMatches(text: string, query: Query): TextMatch[] {
  const near = matchesWithin(text, 0, firstRegion, query);
  if (near.length > 0 || text.length <= firstRegion) return near;
  const wider = matchesWithin(text, 0, secondRegion, query);
  if (wider.length > 0 || text.length <= secondRegion) return wider;
  const literal = text.slice(secondRegion).search(anyTerm(query));
  if (literal < 0) return [];
  const from = secondRegion + literal - leadIn;
  return matchesWithin(text, from, from + firstRegion, query);
}

const slotsOf = (query: Query): Slot[] => query.required.flatMap((unit) => unit.slots);

function anyTerm(query: Query): RegExp {
  return new RegExp(
    slotsOf(query)
      .map((slot) => RegExp.escape(slot.term))
      .join("|"),
    "iu",
  );
}

function matchesWithin(text: string, from: number, to: number, query: Query): TextMatch[] {
  const tokens = relevantTokens(text, from, Math.min(to, text.length), slotsOf(query));
  return query.required
    .flatMap((unit, i) => matchesOfUnit(text, tokens, unit, i))
    .sort((a, b) => a.start - b.start || b.end - a.end);
}

type TokensByPosition = ReadonlyMap<number, readonly Token[]>;

/** Tokens some slot asks for. A word cut by the end of the region is left out. */
function relevantTokens(text: string, from: number, to: number, slots: readonly Slot[]): TokensByPosition {
  const exact = new Set(slots.filter((slot) => !slot.prefix).map((slot) => slot.term));
  const prefixes = slots.filter((slot) => slot.prefix).map((slot) => slot.term);
  const found = new Map<number, Token[]>();
  scan(text.slice(from, to), (term, start, end, position, kind) => {
    if (!exact.has(term) && !prefixes.some((prefix) => term.startsWith(prefix))) return;
    if (from + end === to && to < text.length) return;
    const token = { term, start: from + start, end: from + end, position, kind };
    const others = found.get(position);
    if (others) others.push(token);
    else found.set(position, [token]);
  });
  return found;
}

function matchesOfUnit(text: string, tokens: TokensByPosition, unit: Unit, index: number): TextMatch[] {
  const matches: TextMatch[] = [];
  for (const position of tokens.keys()) {
    const match = matchAt(text, tokens, unit.slots, position);
    if (match) matches.push({ unit: index, ...match });
  }
  return matches;
}

/** The text from the first to the last slot, if all stand where they should. */
function matchAt(
  text: string,
  tokens: TokensByPosition,
  slots: readonly Slot[],
  position: number,
): { start: number; end: number } | undefined {
  let start = text.length;
  let end = 0;
  for (const slot of slots) {
    const token = tokens.get(position + slot.offset)?.find(({ term }) => fills(term, slot));
    if (!token) return undefined;
    start = Math.min(start, token.start);
    end = Math.max(end, endInText(text, token, slot));
  }
  return { start, end };
}

const fills = (term: string, slot: Slot): boolean => (slot.prefix ? term.startsWith(slot.term) : term === slot.term);

/** A single character was looked up as the beginning of a pair: only the character matches. */
function endInText(text: string, token: Token, slot: Slot): number {
  return slot.prefix && token.kind === "pair" ? clusterEnd(text, token.start) : token.end;
}
