import { averageLength, boostOf, contribution, inverseFrequency, lengthNorm, type Statistics } from "./bm25.ts";
import { DocumentSet, DocumentWalker } from "./document-filter.ts";
import type { LookupError, PageKey, PageSource, SegmentView } from "./lookup.ts";
import { advance, type PostingList } from "./posting-list.ts";
import type { Query } from "./query.ts";
import { type Field, fieldOfCode, lengthOfCode } from "./segment-format.ts";
import { compareKeys, TopHits, type TopKey } from "./top-hits.ts";
import { type OpenUnit, openUnit } from "./unit-match.ts";

/** `tf` in the order of the query's required units. */
export type Hit = TopKey & {
  readonly document: number;
  readonly field: Field;
  readonly length: number;
  readonly tf: readonly number[];
};

export type HitCounts = { total: number; documents: number; content: number; title: number };

/** `more`: hits follow the last one of this page. Counts are of the whole filtered result, whatever the page. */
export type SearchResult = {
  readonly hits: readonly Hit[];
  readonly more: boolean;
  readonly counts: HitCounts;
  readonly statistics: Statistics;
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

/** A query whose term pages are read; phrases still need `positionPages`. */
export type OpenQuery = {
  readonly segments: readonly SegmentView[];
  readonly required: readonly OpenUnit[];
  readonly excluded: readonly OpenUnit[];
  readonly positionPages: readonly PageKey[];
};

/** `segments` ascending by number, `pages` with what `termPagesNeeded` asked for. */
export function openQuery(segments: readonly SegmentView[], query: Query, pages: PageSource): OpenQuery | LookupError {
  const opened: OpenUnit[] = [];
  for (const unit of [...query.required, ...query.excluded]) {
    const open = openUnit(segments, unit, pages);
    if ("error" in open) return open;
    opened.push(open);
  }
  const keys = new Map(
    opened.flatMap((unit) => unit.positionPages).map((key) => [`${key.segment}/${key.number}`, key]),
  );
  const required = opened.slice(0, query.required.length);
  return { segments, required, excluded: opened.slice(required.length), positionPages: [...keys.values()] };
}

/** `pages` with the position pages that `openQuery` asked for. */
export function evaluate(open: OpenQuery, pages: PageSource, request: SearchRequest): SearchResult {
  const required = open.required.map((unit) => unit.close(pages));
  const excluded = open.excluded.map((unit) => unit.close(pages));
  const { n, totalLength } = request;
  const statistics = request.frozen ?? { n, totalLength, df: required.map((list) => list.size) };
  const page = request.mode === "topk" ? new TopPage(request, statistics) : new NumberPage(request, statistics);
  const counts = walk(open.segments, required, excluded, request, page);
  return { ...page.finish(), counts, statistics };
}

/** Is shown every matching block once, ascending; `at` holds the index of the block in each list. */
type Page = {
  take(number: number, code: number, document: number, lists: readonly PostingList[], at: Uint32Array): void;
  finish(): { hits: Hit[]; more: boolean };
};

function walk(
  segments: readonly SegmentView[],
  required: readonly PostingList[],
  excluded: readonly PostingList[],
  { accepts }: SearchRequest,
  page: Page,
): HitCounts {
  const documents = new DocumentSet();
  const walker = new DocumentWalker(segments);
  const match = new Matcher(required, excluded);
  let total = 0;
  let title = 0;
  while (match.next()) {
    const document = walker.documentOf(match.number);
    if (accepts && !accepts(document)) continue;
    total++;
    title += match.code & 1;
    documents.add(document);
    page.take(match.number, match.code, document, required, match.at);
  }
  return { total, documents: documents.size, content: total - title, title };
}

/** Steps through the blocks that all required lists have and no excluded one. */
class Matcher {
  number = 0;
  code = 0;
  readonly at: Uint32Array;
  private readonly required: readonly PostingList[];
  private readonly excluded: readonly PostingList[];
  private readonly excludedAt: Uint32Array;
  /** Indexes of the required lists, shortest first. */
  private readonly order: readonly number[];
  private index = -1;

  constructor(required: readonly PostingList[], excluded: readonly PostingList[]) {
    this.required = required;
    this.excluded = excluded;
    this.at = new Uint32Array(required.length);
    this.excludedAt = new Uint32Array(excluded.length);
    this.order = [...required.keys()].sort((a, b) => required[a]!.size - required[b]!.size);
  }

  next(): boolean {
    const lead = this.order[0]!;
    const { numbers, codes, size } = this.required[lead]!;
    while (++this.index < size) {
      this.number = numbers[this.index]!;
      if (!this.isInAll() || this.isExcluded()) continue;
      this.at[lead] = this.index;
      this.code = codes[this.index]!;
      return true;
    }
    return false;
  }

  private isInAll(): boolean {
    for (let o = 1; o < this.order.length; o++) {
      const i = this.order[o]!;
      const { numbers, size } = this.required[i]!;
      const at = advance(numbers, size, this.at[i]!, this.number);
      this.at[i] = at;
      if (at >= size || numbers[at] !== this.number) return false;
    }
    return true;
  }

  private isExcluded(): boolean {
    for (let i = 0; i < this.excluded.length; i++) {
      const { numbers, size } = this.excluded[i]!;
      const at = advance(numbers, size, this.excludedAt[i]!, this.number);
      this.excludedAt[i] = at;
      if (at < size && numbers[at] === this.number) return true;
    }
    return false;
  }
}

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

class TopPage implements Page {
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

class NumberPage implements Page {
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
