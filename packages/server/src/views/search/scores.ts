import { averageLength, inverseFrequency, k1, lengthNorm, type Statistics, titleBoost } from "./bm25.ts";
import type { Matches } from "./matches.ts";
import { lengthOfCode } from "./segment-format.ts";

/** Lengths whose share of the formula is computed once, if there are so many matches that it pays. */
const tabledLengths = 512;
const few = 128;

/** Scores with fixed statistics: the formula of `contribution` with all that does not depend on the block taken out. */
export class Scorer {
  private readonly weights: readonly number[];
  private readonly average: number;
  private norms: Float64Array | undefined;

  constructor(statistics: Statistics) {
    this.weights = statistics.df.map((df) => inverseFrequency(statistics.n, df) * (k1 + 1));
    this.average = averageLength(statistics);
  }

  /** Scores of all matches. A column at a time; the sum for a block runs in query order, as in the explanation. */
  scores(matches: Matches): Float64Array {
    const { size, codes, frequencies } = matches;
    const scores = new Float64Array(size);
    if (size < few) {
      for (let i = 0; i < size; i++) scores[i] = this.scoreAt(matches, i);
      return scores;
    }
    const norms = this.tabled();
    for (const [unit, column] of frequencies.entries()) {
      const weight = this.weights[unit]!;
      for (let i = 0; i < size; i++) {
        const tf = column[i]!;
        const length = codes[i]! >>> 1;
        scores[i]! += (weight * tf) / (tf + (length < tabledLengths ? norms[length]! : this.normOf(length)));
      }
    }
    for (let i = 0; i < size; i++) if (codes[i]! & 1) scores[i]! *= titleBoost;
    return scores;
  }

  scoreAt({ codes, frequencies }: Matches, i: number): number {
    const norm = this.normOf(lengthOfCode(codes[i]!));
    let score = 0;
    for (const [unit, column] of frequencies.entries())
      score += (this.weights[unit]! * column[i]!) / (column[i]! + norm);
    return codes[i]! & 1 ? score * titleBoost : score;
  }

  private tabled(): Float64Array {
    this.norms ??= Float64Array.from({ length: tabledLengths }, (_, length) => this.normOf(length));
    return this.norms;
  }

  private normOf(length: number): number {
    return k1 * lengthNorm(length, this.average);
  }
}
