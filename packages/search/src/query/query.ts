import { classAt, isPaired, isWordClass } from "../text/characters.ts";
import { type Token, tokenize } from "../text/tokenizer.ts";

const MAX_QUERY_CHARACTERS = 512;
const MAX_QUERY_TERMS = 32;

/** One term of a unit; `offset` is its position relative to the unit's first. */
export type Slot = { readonly term: string; readonly prefix: boolean; readonly offset: number };

/** What the user asks for as one thing: a word, a phrase or a prefix. All slots have to stand at their offsets. */
export type Unit = {
  /** As typed. */
  readonly text: string;
  /** As looked up, for the explanation. */
  readonly indexed: string;
  readonly kind: "term" | "phrase" | "prefix";
  readonly slots: readonly Slot[];
};

export type Query = { readonly required: readonly Unit[]; readonly excluded: readonly Unit[] };
export type QueryError = { readonly error: "empty" | "too_long" | "too_many_terms" };

/** Words are ANDed; `"a phrase"`, `prefix*` and `-not` are the whole language, everything else is text. */
export function parseQuery(text: string): Query | QueryError {
  if (text.length > 2 * MAX_QUERY_CHARACTERS || [...text].length > MAX_QUERY_CHARACTERS) return { error: "too_long" };
  const required = new Map<string, Unit>();
  const excluded = new Map<string, Unit>();
  let count = 0;
  for (const piece of pieces(text)) {
    const unit = unitOf(piece);
    if (!unit) continue;
    if (++count > MAX_QUERY_TERMS) return { error: "too_many_terms" };
    const units = piece.excluded ? excluded : required;
    const key = unitKey(unit);
    if (!units.has(key)) units.set(key, unit);
  }
  if (required.size === 0) return { error: "empty" };
  return { required: [...required.values()], excluded: [...excluded.values()] };
}

/** Equal for queries that match and score the same; binds a cursor to its query. */
export function normalisedQuery(query: Query): string {
  return JSON.stringify([query.required.map(unitKey), query.excluded.map(unitKey)]);
}

/** Equal for units that match and score the same. */
export function unitKey(unit: Unit): string {
  return JSON.stringify(unit.slots.map((slot) => [slot.term, slot.prefix, slot.offset]));
}

type Piece = { text: string; quoted: boolean; excluded: boolean };

/** Cuts at white space and at quotation marks that have a partner. */
function* pieces(text: string): Generator<Piece> {
  const lastQuote = text.lastIndexOf('"');
  let at = 0;
  while (at < text.length) {
    if (isSpace(text, at)) {
      at++;
      continue;
    }
    const excluded = text[at] === "-" && beginsOperand(text, at + 1, lastQuote);
    if (excluded) at++;
    const quoted = text[at] === '"' && lastQuote > at;
    const end = quoted ? text.indexOf('"', at + 1) : pieceEnd(text, at + 1, lastQuote);
    yield { text: quoted ? text.slice(at + 1, end) : text.slice(at, end), quoted, excluded };
    at = quoted ? end + 1 : end;
  }
}

const isSpace = (text: string, at: number): boolean => /\s/.test(text[at]!);

/** `-` excludes only directly before a word or a phrase: `--flag`, `a - b` and a lone `-` are text. */
function beginsOperand(text: string, at: number, lastQuote: number): boolean {
  if (at >= text.length) return false;
  if (text[at] === '"') return lastQuote > at;
  const kind = classAt(text, at);
  return isWordClass(kind) || isPaired(kind);
}

function pieceEnd(text: string, from: number, lastQuote: number): number {
  let at = from;
  while (at < text.length && !isSpace(text, at) && !(text[at] === '"' && lastQuote > at)) at++;
  return at;
}

function unitOf(piece: Piece): Unit | undefined {
  const words = tokenize(piece.text).filter((token) => token.kind !== "part");
  const last = words.at(-1);
  if (!last) return undefined;
  const starred = !piece.quoted && last.kind === "word" && /^\*+$/.test(piece.text.slice(last.end));
  const slots = slotsOf(words, starred);
  return {
    text: piece.quoted ? `"${piece.text}"` : piece.text,
    indexed: slots.map((slot) => slot.term + (slot.prefix ? "*" : "")).join(" "),
    kind: slots.length > 1 ? "phrase" : slots[0]!.prefix ? "prefix" : "term",
    slots,
  };
}

/**
 * The last character of a run of pairs stands alone in the index only where the run ends. At the end of what was typed
 * the run may go on in the text: the character is covered by the pair before it, or, being the only one, is the
 * beginning of a pair.
 */
function slotsOf(words: readonly Token[], starred: boolean): Slot[] {
  const origin = words[0]!.position;
  const last = words.at(-1)!;
  const previous = words.at(-2);
  const isOpen = last.kind === "single";
  const isCovered = isOpen && previous?.kind === "pair" && previous.end === last.end;
  const kept = isCovered ? words.slice(0, -1) : words;
  return kept.map((token) => ({
    term: token.term,
    prefix: token === last && (starred || isOpen),
    offset: token.position - origin,
  }));
}
