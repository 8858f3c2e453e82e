import { fillsSlot as fills, type Query, type Slot, type Unit } from "../query/query.ts";
import { clusterEnd } from "../text/characters.ts";
import { plainMatches } from "./plain-matches.ts";
import { FIRST_REGION, type ScannedText, scanRegion, type Token, type TokenColumns } from "./scanned-text.ts";
import type { TextMatch } from "./text-match.ts";

/** The number of UTF-16 units that are scanned: first a few, then more, then around a literal occurrence of a term. */
const SECOND_REGION = 128 * 1024;
const LEAD_IN = 1024;

/** Matches of the query, ascending by start, in a limited part of the text: all of it unless it is huge. */
export function findMatches(scanned: ScannedText, query: Query): TextMatch[] {
  const { text } = scanned;
  const plain = text.length <= FIRST_REGION ? plainMatches(text, query) : undefined;
  if (plain) return inOrder(plain);
  const within = (tokens: TokenColumns) => matchesAmong(text, tokens, query);
  const near = within(scanned.beginning);
  if (near.length > 0 || text.length <= FIRST_REGION) return near;
  const wider = within(scanRegion(text, 0, SECOND_REGION));
  if (wider.length > 0 || text.length <= SECOND_REGION) return wider;
  const literal = text.slice(SECOND_REGION).search(anyTerm(query));
  if (literal < 0) return [];
  const from = SECOND_REGION + literal - LEAD_IN;
  return within(scanRegion(text, from, from + FIRST_REGION));
}

const known = new WeakMap<Query, readonly Slot[]>();

function slotsOf(query: Query): readonly Slot[] {
  const slots = known.get(query) ?? query.required.flatMap((unit) => unit.slots);
  known.set(query, slots);
  return slots;
}

function anyTerm(query: Query): RegExp {
  return new RegExp(
    slotsOf(query)
      .map((slot) => RegExp.escape(slot.term))
      .join("|"),
    "iu",
  );
}

export function matchesAmong(text: string, tokens: TokenColumns, query: Query): TextMatch[] {
  const relevant = relevantTokens(tokens, slotsOf(query));
  return inOrder(query.required.flatMap((unit, i) => matchesOfUnit(text, relevant, unit, i)));
}

const inOrder = (matches: TextMatch[]): TextMatch[] =>
  matches.length < 2 ? matches : matches.sort((a, b) => a.start - b.start || b.end - a.end);

type TokensByPosition = ReadonlyMap<number, readonly Token[]>;

/** Tokens that match some slot. */
function relevantTokens(tokens: TokenColumns, slots: readonly Slot[]): TokensByPosition {
  const found = new Map<number, Token[]>();
  const { terms } = tokens;
  for (let i = 0; i < terms.length; i++) {
    if (!fillsAny(terms[i]!, slots)) continue;
    const token = tokens.at(i);
    const others = found.get(token.position);
    if (others) others.push(token);
    else found.set(token.position, [token]);
  }
  return found;
}

function fillsAny(term: string, slots: readonly Slot[]): boolean {
  for (let i = 0; i < slots.length; i++) if (fills(term, slots[i]!)) return true;
  return false;
}

function matchesOfUnit(text: string, tokens: TokensByPosition, unit: Unit, index: number): TextMatch[] {
  const matches: TextMatch[] = [];
  for (const position of tokens.keys()) {
    const match = matchAt(text, tokens, unit.slots, position);
    if (match) matches.push({ unit: index, ...match });
  }
  return matches;
}

/** The text from the first to the last slot, if all are at the right positions. */
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

/** A single character was looked up as the beginning of a pair: only the character matches. */
function endInText(text: string, token: Token, slot: Slot): number {
  return slot.prefix && token.isPair ? clusterEnd(text, token.start) : token.end;
}
