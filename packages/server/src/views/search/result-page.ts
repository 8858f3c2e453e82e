import { averageLength, boostOf, contribution, inverseFrequency, lengthNorm, type Statistics } from "./bm25.ts";
import type { PostingList } from "./posting-list.ts";
import { type Field, fieldOfCode, lengthOfCode } from "./segment-format.ts";
import { compareKeys, TopHits, type TopKey } from "./top-hits.ts";

/** `tf` in the order of the query's required units. */
export type Hit = TopKey & {
  readonly document: number;
  readonly field: Field;
  readonly length: number;
  readonly tf: readonly number[];
};

export type SearchRequest = {
  readonly mode: "topk" | "exhaustive";
  readonly limit: number;
  /** Live blocks of the workspace and the sum of their lengths. */
  readonly n: number;
  readonly totalLength: number;
  /** Which documents count; absent means all. */
  readonly accepts?: (document: number) => boolean;
  /** Block numbers that come first in `topk` if they match: titles equal to the query. */
  readonly pinned?: ReadonlySet<number>;
  /** `topk`: the last key and the statistics of the first page, so that unchanged blocks keep their scores. */
  readonly afterKey?: TopKey;
  readonly frozen?: Statistics;
  /** `exhaustive`: the last number. */
  readonly afterNumber?: number;
};

/** Is shown every matching block once, ascending; `at` holds the index of the block in each list. */
export type ResultPage = {
  take(number: number, code: number, document: number, lists: readonly PostingList[], at: Uint32Array): void;
  finish(): { hits: Hit[]; more: boolean };
};

/** Scores with fixed statistics. The sum runs in query order, as in the explanation. */
class Scorer {
  private readonly idf: readonly number[];
  private readonly average: number;

  constructor(statistics: Statistics) {
    this.idf = statistics.df.map((df) => inverseFrequency(statistics.n, df));
    this.average = averageLength(statistics);
  }

  score(code: number, lists: readonly PostingList[], at: Uint32Array): number {
    const norm = lengthNorm(lengthOfCode(code), this.average);
    const boost = boostOf(fieldOfCode(code));
    let score = 0;
    for (let i = 0; i < lists.length; i++) {
      score += contribution(this.idf[i]!, lists[i]!.frequencies[at[i]!]!, norm, boost);
    }
    return score;
  }
}

const frequencies = (lists: readonly PostingList[], at: Uint32Array): number[] =>
  lists.map((list, i) => list.frequencies[at[i]!]!);

export class TopPage implements ResultPage {
  private readonly scorer: Scorer;
  private readonly top: TopHits<Hit>;
  private readonly limit: number;
  private readonly after: TopKey | undefined;
  private readonly pinned: ReadonlySet<number> | undefined;

  constructor({ limit, afterKey, pinned }: SearchRequest, statistics: Statistics) {
    this.scorer = new Scorer(statistics);
    this.top = new TopHits(limit + 1);
    this.limit = limit;
    this.after = afterKey;
    this.pinned = pinned && pinned.size > 0 ? pinned : undefined;
  }

  take(number: number, code: number, document: number, lists: readonly PostingList[], at: Uint32Array): void {
    const score = this.scorer.score(code, lists, at);
    const pinned = this.pinned?.has(number) ?? false;
    if (!pinned && score < this.top.threshold) return;
    const field = fieldOfCode(code);
    const key = { pinned, score, title: field === "title", number };
    if (this.after && compareKeys(this.after, key) >= 0) return;
    this.top.offer({ ...key, document, field, length: lengthOfCode(code), tf: frequencies(lists, at) });
  }

  finish(): { hits: Hit[]; more: boolean } {
    const hits = this.top.sorted();
    return { hits: hits.slice(0, this.limit), more: hits.length > this.limit };
  }
}

export class NumberPage implements ResultPage {
  private readonly scorer: Scorer;
  private readonly hits: Hit[] = [];
  private readonly limit: number;
  private readonly after: number;
  private more = false;

  constructor({ limit, afterNumber }: SearchRequest, statistics: Statistics) {
    this.scorer = new Scorer(statistics);
    this.limit = limit;
    this.after = afterNumber ?? -1;
  }

  take(number: number, code: number, document: number, lists: readonly PostingList[], at: Uint32Array): void {
    if (number <= this.after) return;
    if (this.hits.length >= this.limit) {
      this.more = true;
      return;
    }
    const field = fieldOfCode(code);
    const score = this.scorer.score(code, lists, at);
    const key = { pinned: false, score, title: field === "title", number };
    this.hits.push({ ...key, document, field, length: lengthOfCode(code), tf: frequencies(lists, at) });
  }

  finish(): { hits: Hit[]; more: boolean } {
    return { hits: this.hits, more: this.more };
  }
}
