import { isFunctionWord } from "../best/function-words.ts";
import { type Forms, formsOf } from "../best/stems.ts";
import { classAt, isPaired, isWordClass } from "../text/characters.ts";
import { type Token, tokenize } from "../text/tokenizer.ts";

const MAX_QUERY_CHARACTERS = 512;
const MAX_QUERY_TERMS = 32;

/** One term of a unit; `offset` is its position relative to the unit's first. */
export type Slot = {
  /** With `forms`, what all of them begin with. */
  readonly term: string;
  readonly prefix: boolean;
  readonly offset: number;
  /** Only the terms with this prefix that are forms of one word. */
  readonly forms?: Forms;
};

/** Whether a term of the index or of a text fills a slot. */
export const fillsSlot = (term: string, slot: Slot): boolean =>
  slot.prefix ? term.startsWith(slot.term) && (slot.forms === undefined || slot.forms.has(term)) : term === slot.term;

/** One element of a query: a word, a phrase or a prefix. All slots must occur at their offsets. */
export type Unit = {
  /** As typed. */
  readonly text: string;
  /** As looked up, for the explanation. */
  readonly indexed: string;
  readonly kind: "term" | "phrase" | "prefix";
  readonly slots: readonly Slot[];
  /** With `match=best`: a quoted text or a prefix, which every hit contains. */
  readonly isCondition?: boolean;
  /** With `match=best`: counts only in the block itself, not in what stands around it. */
  readonly isFunctionWord?: boolean;
};

export type Query = {
  /** With `match=best` only the conditions are required of every hit; otherwise all are. */
  readonly required: readonly Unit[];
  readonly excluded: readonly Unit[];
  readonly match?: "best";
};
export type QueryError = { readonly error: "empty" | "too_long" | "too_many_terms" };

/** Words are ANDed; `"a phrase"`, `prefix*` and `-not` are the whole syntax, everything else is text. */
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

/** Equal for queries that match and score the same; a cursor belongs to one such form. */
export function normalisedQuery(query: Query): string {
  const units = [query.required.map(unitKey), query.excluded.map(unitKey)];
  if (query.match !== "best") return JSON.stringify(units);
  return JSON.stringify([...units, "best", query.required.map((unit) => unit.isCondition === true)]);
}

/** Equal for units that match and score the same. */
export function unitKey(unit: Unit): string {
  return JSON.stringify(
    unit.slots.map(({ term, prefix, offset, forms }) =>
      forms ? [term, prefix, offset, forms.name] : [term, prefix, offset],
    ),
  );
}

/** A run of pairs up to this many characters is one word; longer ones are whole sentences. */
const LONGEST_PAIRED_WORD = 4;

/**
 * Reads a query of which each hit has at least one word: words count in all their forms, quoted texts, prefixes and
 * exclusions are conditions. `languages` are those of the documents.
 */
export function parseBestQuery(text: string, languages: readonly string[] = []): Query | QueryError {
  const plain = parseQuery(text);
  if ("error" in plain) return plain;
  const units = [...pieces(text)].filter(({ excluded }) => !excluded).flatMap((piece) => bestUnits(piece, languages));
  const kept = new Map<string, Unit>();
  for (const unit of units) {
    const key = unitKey(unit);
    if (!kept.has(key)) kept.set(key, isFunctionUnit(unit, languages) ? { ...unit, isFunctionWord: true } : unit);
  }
  return { required: [...kept.values()].slice(0, MAX_QUERY_TERMS), excluded: plain.excluded, match: "best" };
}

const isFunctionUnit = ({ text, isCondition }: Unit, languages: readonly string[]): boolean =>
  !isCondition && tokenize(text).every(({ term }) => isFunctionWord(term, languages));

function bestUnits(piece: Piece, languages: readonly string[]): Unit[] {
  const unit = unitOf(piece);
  if (!unit) return [];
  if (piece.quoted || unit.kind === "prefix") return [{ ...unit, isCondition: true }];
  const words = tokenize(piece.text).filter((token) => token.kind !== "part");
  if (words.length > 1 && words.every(({ kind }) => kind === "word"))
    return words.map((token) => withForms(unitOfToken(token), languages));
  if (words.some(({ kind }) => kind === "pair") && words.length > LONGEST_PAIRED_WORD)
    return words.filter(({ kind }) => kind !== "single").map((token) => withForms(unitOfToken(token), languages));
  return [withForms(unit, languages)];
}

const unitOfToken = ({ term }: Token): Unit => ({
  text: term,
  indexed: term,
  kind: "term",
  slots: [{ term, prefix: false, offset: 0 }],
});

function withForms(unit: Unit, languages: readonly string[]): Unit {
  const [slot] = unit.slots;
  if (unit.slots.length !== 1 || slot!.prefix) return unit;
  const forms = formsOf(slot!.term, languages);
  if (!forms) return unit;
  return { ...unit, slots: [{ term: forms.beginning, prefix: true, offset: 0, forms }] };
}

type Piece = { text: string; quoted: boolean; excluded: boolean };

/** Splits at white space and at quotation marks that have a partner. */
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
 * The index has a single token for the last character of a run of pairs, but only where the run ends. At the end of a
 * query the run may continue in the text: the pair before covers the character, or, if it is the only one, it is the
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
