import { lengthOfCode } from "../segment/segment-format.ts";
import { averageLength, inverseFrequency, K1, lengthNorm, type Statistics, TITLE_BOOST } from "./bm25.ts";
import type { Matches } from "./matches.ts";

/** The number of lengths for which the norm is tabulated, if there are enough matches. */
const TABLED_LENGTHS = 512;
const MAX_UNTABLED = 128;
/** More than rounding errors of a score. */
const tolerance = 1e-9;

const normOf = (length: number, average: number): number => K1 * lengthNorm(length, average);

/** For one average length; queries on an unchanged index share it. */
type NormTable = { readonly average: number; readonly norms: Float64Array };

function tableOf(average: number): NormTable {
  const norms = new Float64Array(TABLED_LENGTHS);
  for (let length = 0; length < TABLED_LENGTHS; length++) norms[length] = normOf(length, average);
  return { average, norms };
}

let tabled = tableOf(0);

/**
 * Scores with fixed statistics: the formula of `contribution` with everything that does not depend on the block
 * computed in advance.
 */
export class Scorer {
  readonly #weights: readonly number[];
  readonly #average: number;

  constructor(statistics: Statistics) {
    this.#weights = statistics.df.map((df) => inverseFrequency(statistics.n, df) * (K1 + 1));
    this.#average = averageLength(statistics);
  }

  /**
   * For queries of one unit: the maximum length with which a block can score `least`, for each term frequency, in
   * content and in titles. Written to `longest`, for `nextReaching`.
   */
  reach(least: number, longest: Uint32Array): void {
    for (let i = 0; i < longest.length; i++) {
      const tf = i >>> 1;
      const gain = this.#weights[0]! * tf * (i & 1 ? TITLE_BOOST : 1);
      const norm = (gain / least - tf) * (1 + tolerance) + tolerance;
      longest[i] = least > 0 ? Math.min(Math.max(this.#lengthOf(norm), 0), ANY_LENGTH) : ANY_LENGTH;
    }
  }

  /**
   * Scores of all matches, one column at a time. The sum for a block is added in query order, as in the explanation.
   */
  scores(matches: Matches): Float64Array {
    const { size, codes, frequencies } = matches;
    const scores = new Float64Array(size);
    if (size < MAX_UNTABLED) {
      for (let i = 0; i < size; i++) scores[i] = this.scoreAt(matches, i);
      return scores;
    }
    const norms = this.#tabled();
    for (const [unit, column] of frequencies.entries()) {
      const weight = this.#weights[unit]!;
      for (let i = 0; i < size; i++) {
        const tf = column[i]!;
        const length = codes[i]! >>> 1;
        scores[i]! += (weight * tf) / (tf + (length < TABLED_LENGTHS ? norms[length]! : this.#normOf(length)));
      }
    }
    for (let i = 0; i < size; i++) if (codes[i]! & 1) scores[i]! *= TITLE_BOOST;
    return scores;
  }

  scoreAt({ codes, frequencies }: Matches, i: number): number {
    const norm = this.#normOf(lengthOfCode(codes[i]!));
    let score = 0;
    for (const [unit, column] of frequencies.entries())
      score += (this.#weights[unit]! * column[i]!) / (column[i]! + norm);
    return codes[i]! & 1 ? score * TITLE_BOOST : score;
  }

  #tabled(): Float64Array {
    if (tabled.average !== this.#average) tabled = tableOf(this.#average);
    return tabled.norms;
  }

  #normOf(length: number): number {
    return normOf(length, this.#average);
  }

  /** The greatest length that has at most this norm. */
  #lengthOf(norm: number): number {
    if (norm < this.#normOf(0)) return -1;
    const perWord = this.#normOf(1) - this.#normOf(0);
    return perWord > 0 ? Math.floor((norm - this.#normOf(0)) / perWord) + 1 : ANY_LENGTH;
  }
}

const ANY_LENGTH = 2 ** 32 - 1;

/** The buffer for `reach`. Few blocks contain a term eight times: those are always scored. */
export const newReach = (): Uint32Array => new Uint32Array(2 * 8);

/**
 * The next match at or after `from` that may reach the score of `longest`; `size` if there is none. This skips most of
 * a long list without computing scores.
 */
export function nextReaching({ size, codes, frequencies }: Matches, from: number, longest: Uint32Array): number {
  const column = frequencies[0]!;
  for (let i = from; i < size; i++) {
    const code = codes[i]!;
    const at = 2 * column[i]! + (code & 1);
    if (at >= longest.length || code >>> 1 <= longest[at]!) return i;
  }
  return size;
}
