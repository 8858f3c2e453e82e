import { averageLength, inverseFrequency, K1, lengthNorm, type Statistics } from "../query/bm25.ts";
import type { Query } from "../query/query.ts";

/**
 * The weight of a word that is in the block, its headings or its title at all, and what it adds in the heading path of
 * the block, in its document's title, and anywhere in its section.
 */
export const PRESENCE_WEIGHT = 0.6;
export const HEADING_WEIGHT = 0.1;
export const TITLE_WEIGHT = 0.5;
export const SECTION_WEIGHT = 0.3;
/** A poor answer gets less than this share of the score of the best text of its section. */
export const POOR_SHARE = 0.999;

/** The weight of each unit, and the length norms of blocks. */
export class Weights {
  readonly idf: Float64Array;
  /** Bits of the units that count only in the block itself. */
  readonly functionWords: number;
  readonly #average: number;

  constructor(statistics: Statistics, functionWords = 0) {
    this.idf = Float64Array.from(statistics.df, (df) => inverseFrequency(statistics.n, df));
    this.functionWords = functionWords;
    this.#average = averageLength(statistics);
  }

  blockNorm(length: number): number {
    return lengthNorm(length, this.#average);
  }

  /** The most that a block can get from the units of a mask beside the occurrences in itself. */
  contextLimit(mask: number, titleMask: number): number {
    let sum = 0;
    for (let u = 0; u < this.idf.length; u++) {
      const bit = 1 << u;
      if (this.functionWords & bit) continue;
      const idf = this.idf[u]!;
      if ((mask | titleMask) & bit) sum += idf * PRESENCE_WEIGHT;
      if (mask & bit) sum += idf * (HEADING_WEIGHT + SECTION_WEIGHT);
      if (titleMask & bit) sum += idf * TITLE_WEIGHT;
    }
    return sum;
  }
}

/** The share of a word's weight that `tf` occurrences give. */
export const saturated = (tf: number, norm: number): number => (tf * (K1 + 1)) / (tf + K1 * norm);

/** Bits of the function words of a query. */
export const functionWordsOf = (query: Query): number =>
  query.required.reduce((mask, { isFunctionWord }, u) => (isFunctionWord ? mask | (1 << u) : mask), 0);
