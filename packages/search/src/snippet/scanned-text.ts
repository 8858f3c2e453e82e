import { scan } from "../text/tokenizer.ts";

/** UTF-16 units at the beginning of a text whose tokens are cached. */
export const FIRST_REGION = 16 * 1024;

export type Token = {
  readonly term: string;
  readonly start: number;
  readonly end: number;
  readonly position: number;
  readonly isPair: boolean;
};

/** The values per token beside its term: start, end with a bit for pairs, position. */
const WIDTH = 3;

/** Tokens of a part of a text in columns: a few bytes each, many times less than objects. */
export class TokenColumns {
  readonly terms: readonly string[];
  readonly #columns: Uint32Array;

  constructor(terms: readonly string[], columns: Uint32Array) {
    this.terms = terms;
    this.#columns = columns;
  }

  at(i: number): Token {
    const columns = this.#columns;
    const end = columns[i * WIDTH + 1]!;
    return {
      term: this.terms[i]!,
      start: columns[i * WIDTH]!,
      end: end >>> 1,
      position: columns[i * WIDTH + 2]!,
      isPair: (end & 1) === 1,
    };
  }
}

/** Omits a word that the end of the region cuts. */
export function scanRegion(text: string, from: number, to: number): TokenColumns {
  const terms: string[] = [];
  const columns: number[] = [];
  const end = Math.min(to, text.length);
  const region = from === 0 && end === text.length ? text : text.slice(from, end);
  scan(region, (term, startAt, endAt, position, kind) => {
    if (from + endAt === end && end < text.length) return;
    terms.push(term);
    columns.push(from + startAt, (from + endAt) * 2 + (kind === "pair" ? 1 : 0), position);
  });
  return new TokenColumns(terms, Uint32Array.from(columns));
}

/** Estimated bytes of tokens per unit of a text with short words. */
const BYTES_PER_UNIT = 6;

/** A text that is searched repeatedly: its tokens are found once. */
export class ScannedText {
  readonly text: string;
  #beginning: TokenColumns | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** The tokens of the first `firstRegion` units. */
  get beginning(): TokenColumns {
    this.#beginning ??= scanRegion(this.text, 0, FIRST_REGION);
    return this.#beginning;
  }

  /** Their estimated bytes in memory once they are needed: most terms are shared with other texts. */
  get tokenBytes(): number {
    return 200 + BYTES_PER_UNIT * Math.min(this.text.length, FIRST_REGION);
  }
}
