import {
  asciiDigit,
  asciiLower,
  asciiUpper,
  classAt,
  clusterEnd,
  ideographPlain,
  ignorable,
  isPaired,
  isWordClass,
  separator,
  surrogate,
  unitClass,
  widthAt,
  wordLower,
  wordUpper,
} from "./characters.ts";
import { fold, foldAscii, maxTermLength } from "./fold.ts";
import { hashNext, hashStart, keptLength, pairOf, wordIn } from "./kept-strings.ts";
import { beginsSymbol, camelParts, isVersion, symbolSuffix, versionLetter } from "./word-parts.ts";

/** Changes whenever the same text could give other tokens; an index of another version is rebuilt. */
export const tokenizerVersion = 1;

/**
 * How a token came to be: a whole word, a part of the word at the same position (`user` and `username` in `getUserName`,
 * `1` in `v1`, `c` in `C++`), a pair of neighbouring characters, or the last character of a run of such pairs.
 */
export type TokenKind = "word" | "part" | "pair" | "single";

/** `start` and `end` are UTF-16 offsets in the text as given. */
export type Token = { term: string; start: number; end: number; position: number; kind: TokenKind };

/**
 * Positions: every word takes one. The whole of `getUserName` and its parts share that position, so that a phrase
 * around it counts it as one word however it is spelled. `foo_bar` and `foo.bar` are two words that
 * follow each other. In runs of pairs every character takes a position. A term occurs at most once at a position.
 */
export type Emit = (term: string, start: number, end: number, position: number, kind: TokenKind) => void;

const upperBits = (1 << asciiUpper) | (1 << wordUpper);
const lowerBits = (1 << asciiLower) | (1 << wordLower);
const beyondAscii = ~((1 << asciiLower) | (1 << asciiUpper) | (1 << asciiDigit));

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
      if (kind === separator) at++;
      else if (kind === asciiLower || kind === asciiDigit) at = this.plainWord(at);
      else at = this.other(at, classAt(text, at));
    }
    return this.position;
  }

  private other(at: number, kind: number): number {
    if (isWordClass(kind)) return this.word(at);
    return isPaired(kind) ? this.pairs(at) : at + widthAt(this.text, at);
  }

  /** Most words: of ASCII letters in lower case and digits alone, without anything that `word` has to look at. */
  private plainWord(start: number): number {
    const { text } = this;
    let hash = hashStart;
    let digits = 0;
    let end = start;
    let kind = separator;
    for (; end < text.length; end++) {
      const unit = text.charCodeAt(end);
      kind = unitClass[unit]!;
      if (kind === asciiDigit) digits++;
      else if (kind !== asciiLower) break;
      hash = hashNext(hash, unit);
    }
    const isOver = end === text.length || kind === separator || isPaired(kind);
    const length = end - start;
    const isVersion = digits === length - 1 && text.charCodeAt(start) === versionLetter;
    if (!isOver || isVersion || beginsSymbol(text, end)) return this.word(start);
    const clipped = Math.min(end, start + maxTermLength);
    const term = length <= keptLength ? wordIn(text, start, end, hash) : text.slice(start, clipped);
    this.emit(term, start, end, this.position++, "word");
    return end;
  }

  /** One word of an alphabet; returns where it ends. */
  private word(start: number): number {
    const { text } = this;
    let shape = 0;
    let hasUpperInside = false;
    let at = start;
    while (at < text.length) {
      let kind = unitClass[text.charCodeAt(at)]!;
      let width = 1;
      if (kind === surrogate) {
        kind = classAt(text, at);
        width = 2;
      }
      if (kind === 0 || kind > ignorable) break;
      shape |= 1 << kind;
      if (at > start && (upperBits >> kind) & 1) hasUpperInside = true;
      at += width;
    }
    const isCamel = hasUpperInside && (shape & lowerBits) !== 0;
    return this.emitWord(start, at, (shape & beyondAscii) === 0, isCamel);
  }

  private emitWord(start: number, end: number, isAscii: boolean, isCamel: boolean): number {
    const { text, position } = this;
    const foldWord = isAscii ? foldAscii : fold;
    const raw = text.slice(start, end);
    const plain = foldWord(raw);
    if (plain === "") return end;
    const suffix = symbolSuffix(text, start, end);
    const wholeEnd = end + suffix;
    this.emit(suffix === 0 ? plain : plain + text.slice(end, wholeEnd), start, wholeEnd, position, "word");
    if (suffix > 0) this.emit(plain, start, end, position, "part");
    if (isCamel && raw.length <= maxTermLength) this.camelParts(raw, start, foldWord, plain);
    else if (isAscii && isVersion(raw)) this.emit(foldAscii(raw.slice(1)), start + 1, end, position, "part");
    this.position++;
    return wholeEnd;
  }

  private camelParts(raw: string, start: number, foldWord: (word: string) => string, whole: string): void {
    const seen = [whole, ""];
    for (const [from, to] of camelParts(raw)) {
      const part = foldWord(raw.slice(from, to));
      if (seen.includes(part)) continue;
      this.emit(part, start + from, start + to, this.position, "part");
      seen.push(part);
    }
  }

  /** A run of characters without spaces: each with the next, the last one alone; returns where it ends. */
  private pairs(start: number): number {
    const { text } = this;
    let at = start;
    let end = clusterEnd(text, at);
    let code = this.plainCode(at, end);
    while (end < text.length && isPaired(classAt(text, end))) {
      const nextEnd = clusterEnd(text, end);
      const nextCode = this.plainCode(end, nextEnd);
      const isPlain = code !== 0 && nextCode !== 0;
      const pair = isPlain ? pairOf(code, nextCode) : clipPair(this.cluster(at, end) + this.cluster(end, nextEnd));
      this.emit(pair, at, nextEnd, this.position++, "pair");
      at = end;
      end = nextEnd;
      code = nextCode;
    }
    this.emit(this.cluster(at, end), at, end, this.position++, "single");
    return end;
  }

  /** The unit of a cluster that is its own folded form; 0 for others. */
  private plainCode(start: number, end: number): number {
    const unit = this.text.charCodeAt(start);
    return end - start === 1 && unitClass[unit] === ideographPlain ? unit : 0;
  }

  private cluster(start: number, end: number): string {
    const code = this.plainCode(start, end);
    return code === 0 ? fold(this.text.slice(start, end)) : String.fromCharCode(code);
  }
}

/** Two clusters of many marks each may exceed a term's length; whole characters are kept. */
function clipPair(pair: string): string {
  return pair.length <= maxTermLength ? pair : fold(pair);
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

/** The words of a text as one string: equal for texts that differ only in case, accents, width and punctuation. */
export function foldedText(text: string): string {
  const words: string[] = [];
  scan(text, (term, _start, _end, _position, kind) => {
    if (kind !== "part") words.push(term);
  });
  return words.join(" ");
}
