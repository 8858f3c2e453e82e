import {
  classAt,
  clusterEnd,
  IDEOGRAPH_PLAIN,
  IGNORABLE,
  isExtension,
  isPaired,
  isWordClass,
  SEPARATOR,
  SURROGATE,
  unitClass,
  WORD_CASELESS,
  widthAt,
} from "./characters.ts";
import { fold, MAX_TERM_LENGTH } from "./fold.ts";
import { pairOf } from "./pair-table.ts";
import { beginsSymbol, symbolSuffix } from "./word-parts.ts";
import { HASH_START, hashNext, keptLength, partsAt, readWord, slotOf, termAt, type WordPart } from "./word-table.ts";

/** Incremented whenever the same text could give other tokens; an index of another version is rebuilt. */
export const TOKENIZER_VERSION = 1;

/**
 * The kind of a token: a whole word, a part of the word at the same position (`user` and `username` in `getUserName`,
 * `1` in `v1`, `c` in `C++`), a pair of neighbouring characters, or the last character of a run of such pairs.
 */
type TokenKind = "word" | "part" | "pair" | "single";

/** `start` and `end` are UTF-16 offsets in the original text. */
export type Token = { term: string; start: number; end: number; position: number; kind: TokenKind };

/**
 * Positions: every word takes one. The whole of `getUserName` and its parts share that position, so that a phrase
 * counts it as one word however it is spelled. `foo_bar` and `foo.bar` are two consecutive words. In runs of pairs
 * every character takes a position. A term occurs at most once at a position.
 */
type Emit = (term: string, start: number, end: number, position: number, kind: TokenKind) => void;

class Scanner {
  readonly text: string;
  readonly emit: Emit;
  position = 0;

  constructor(text: string, emit: Emit) {
    this.text = text;
    this.emit = emit;
  }

  run(): number {
    const { text } = this;
    for (let at = 0; at < text.length; ) {
      const kind = unitClass[text.charCodeAt(at)]!;
      if (kind === SEPARATOR) at++;
      else if (kind <= WORD_CASELESS) at = this.#word(at);
      else at = this.#other(at, classAt(text, at));
    }
    return this.position;
  }

  #other(at: number, kind: number): number {
    if (isWordClass(kind)) return this.#word(at);
    return isPaired(kind) ? this.#pairs(at) : at + widthAt(this.text, at);
  }

  /** Emits one word of an alphabet; returns its end. */
  #word(start: number): number {
    const { text } = this;
    let hash = HASH_START;
    let end = start;
    for (; end < text.length; end++) {
      const unit = text.charCodeAt(end);
      const kind = unitClass[unit]!;
      if (kind === SEPARATOR || kind > IGNORABLE) {
        if (kind !== SURROGATE || !isInWord(classAt(text, end))) break;
        hash = hashNext(hash, unit);
        hash = hashNext(hash, text.charCodeAt(++end));
      } else hash = hashNext(hash, unit);
    }
    if (end - start > keptLength || beginsSymbol(text, end)) return this.#rareWord(start, end);
    const slot = slotOf(text, start, end, hash);
    if (slot < 0) return this.#rareWord(start, end);
    const term = termAt(slot);
    if (term === "") return end;
    this.emit(term, start, end, this.position, "word");
    const parts = partsAt(slot);
    if (parts !== undefined) this.#emitParts(parts, start);
    this.position++;
    return end;
  }

  /** Handles a long word, or one that a symbol may belong to. */
  #rareWord(start: number, end: number): number {
    const { text, position } = this;
    const word = readWord(text.slice(start, end));
    if (word.term === "") return end;
    const suffix = symbolSuffix(text, start, end);
    const wholeEnd = end + suffix;
    this.emit(suffix === 0 ? word.term : word.term + text.slice(end, wholeEnd), start, wholeEnd, position, "word");
    if (suffix > 0) this.emit(word.term, start, end, position, "part");
    if (word.parts !== undefined) this.#emitParts(word.parts, start);
    this.position++;
    return wholeEnd;
  }

  #emitParts(parts: readonly WordPart[], start: number): void {
    for (const { term, from, to } of parts) this.emit(term, start + from, start + to, this.position, "part");
  }

  /** Emits a run of characters without spaces: each with the next, the last one alone; returns its end. */
  #pairs(start: number): number {
    const { text } = this;
    let at = start;
    let end = this.#isSimple(at) ? at + 1 : clusterEnd(text, at);
    let code = this.#plainCode(at, end);
    while (end < text.length) {
      const isSimple = this.#isSimple(end);
      if (!isSimple && !isPaired(classAt(text, end))) break;
      const nextEnd = isSimple ? end + 1 : clusterEnd(text, end);
      const nextCode = isSimple ? text.charCodeAt(end) : this.#plainCode(end, nextEnd);
      const isPlain = code !== 0 && nextCode !== 0;
      const pair = isPlain ? pairOf(code, nextCode) : clipPair(this.#cluster(at, end) + this.#cluster(end, nextEnd));
      this.emit(pair, at, nextEnd, this.position++, "pair");
      at = end;
      end = nextEnd;
      code = nextCode;
    }
    this.emit(this.#cluster(at, end), at, end, this.position++, "single");
    return end;
  }

  /** Whether this is a plain character without extensions, as most are. */
  #isSimple(at: number): boolean {
    const { text } = this;
    if (unitClass[text.charCodeAt(at)] !== IDEOGRAPH_PLAIN) return false;
    const next = at + 1 < text.length ? unitClass[text.charCodeAt(at + 1)]! : SEPARATOR;
    return !isExtension(next) && next !== SURROGATE;
  }

  /** The unit of a cluster that is its own folded form; 0 for others. */
  #plainCode(start: number, end: number): number {
    const unit = this.text.charCodeAt(start);
    return end - start === 1 && unitClass[unit] === IDEOGRAPH_PLAIN ? unit : 0;
  }

  #cluster(start: number, end: number): string {
    const code = this.#plainCode(start, end);
    return code === 0 ? fold(this.text.slice(start, end)) : String.fromCharCode(code);
  }
}

const isInWord = (kind: number): boolean => kind !== SEPARATOR && kind <= IGNORABLE;

/** Two clusters of many marks each may exceed a term's length; whole characters are kept. */
function clipPair(pair: string): string {
  return pair.length <= MAX_TERM_LENGTH ? pair : fold(pair);
}

/** Calls `emit` for every token in order of position; returns the number of positions, which is the text's length. */
export function scan(text: string, emit: Emit): number {
  return new Scanner(text, emit).run();
}

export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  scan(text, (term, start, end, position, kind) => tokens.push({ term, start, end, position, kind }));
  return tokens;
}
