import { scan } from "../text/tokenizer.ts";

/** UTF-16 units at the beginning of a text whose tokens are kept. */
export const FIRST_REGION = 16 * 1024;

export type Token = {
  readonly term: string;
  readonly start: number;
  readonly end: number;
  readonly position: number;
  readonly isPair: boolean;
};

/** Numbers of a token beside its term: start, end with a bit for pairs, position. */
const WIDTH = 3;

/** Tokens of a part of a text in columns: a few bytes each, where objects would take many times that. */
export class TokenColumns {
  readonly terms: readonly string[];
  readonly #places: Uint32Array;

  constructor(terms: readonly string[], places: Uint32Array) {
    this.terms = terms;
    this.#places = places;
  }

  at(i: number): Token {
    const places = this.#places;
    const end = places[i * WIDTH + 1]!;
    return {
      term: this.terms[i]!,
      start: places[i * WIDTH]!,
      end: end >>> 1,
      position: places[i * WIDTH + 2]!,
      isPair: (end & 1) === 1,
    };
  }
}

/** A word cut by the end of the region is left out. */
export function scanRegion(text: string, from: number, to: number): TokenColumns {
  const terms: string[] = [];
  const places: number[] = [];
  const end = Math.min(to, text.length);
  const region = from === 0 && end === text.length ? text : text.slice(from, end);
  scan(region, (term, startAt, endAt, position, kind) => {
    if (from + endAt === end && end < text.length) return;
    terms.push(term);
    places.push(from + startAt, (from + endAt) * 2 + (kind === "pair" ? 1 : 0), position);
  });
  return new TokenColumns(terms, Uint32Array.from(places));
}

/** Of tokens, for a unit of a text in which words are short. */
const BYTES_PER_UNIT = 6;

/** A text that is looked at again and again: its tokens are found once. */
export class ScannedText {
  readonly text: string;
  #beginning: TokenColumns | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** Of the first `firstRegion` units. */
  get beginning(): TokenColumns {
    this.#beginning ??= scanRegion(this.text, 0, FIRST_REGION);
    return this.#beginning;
  }

  /** What they take in memory, roughly, once they are wanted: most terms are shared with other texts. */
  get tokenBytes(): number {
    return 200 + BYTES_PER_UNIT * Math.min(this.text.length, FIRST_REGION);
  }
}
