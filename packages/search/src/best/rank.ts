import type { Statistics } from "../query/bm25.ts";
import type { Evaluation, Pause } from "../query/evaluation.ts";
import type { Matches } from "../query/matches.ts";
import type { ResultPage } from "../query/result-page.ts";
import { Scorer } from "../query/scores.ts";
import { compareKeys, TopHits, type TopKey } from "../query/top-hits.ts";
import { type DocumentLayout, NO_LAYOUT } from "./layout.ts";
import { type BestHit, maskOf, scoreDocument } from "./score-document.ts";
import { Weights } from "./weights.ts";

/** Returns the layouts of documents by their numbers; of one that is not indexed now, none. */
export type LayoutReader = (documents: readonly number[]) => Promise<ReadonlyMap<number, DocumentLayout>>;

/** Documents whose layouts are read at once. */
const AT_ONCE = 32;

/** All matches of a query as one list, and the ranges of each document in it. */
class DocumentMatches {
  readonly matches: Matches;
  readonly documents: readonly number[];
  readonly #ranges = new Map<number, number[]>();

  constructor({ matches, documents = [] }: Evaluation) {
    this.matches = joinedMatches(matches);
    const owners = joinColumns(documents);
    for (let i = 0; i < this.matches.size; ) {
      const document = owners[i]!;
      let end = i + 1;
      while (end < this.matches.size && owners[end] === document) end++;
      const ranges = this.#ranges.get(document);
      if (ranges) ranges.push(i, end);
      else this.#ranges.set(document, [i, end]);
      i = end;
    }
    this.documents = [...this.#ranges.keys()];
  }

  candidatesOf(document: number): number[] {
    const ranges = this.#ranges.get(document)!;
    const all: number[] = [];
    for (let r = 0; r < ranges.length; r += 2) for (let i = ranges[r]!; i < ranges[r + 1]!; i++) all.push(i);
    return all;
  }

  /** No block of a document scores more than its limit. */
  limits(statistics: Statistics, weights: Weights, pinned: ReadonlySet<number>): Float64Array {
    const { numbers, codes, frequencies } = this.matches;
    const own = new Scorer(statistics).scores(this.matches);
    const contexts = new Map<number, number>();
    return Float64Array.from(this.documents, (document) => {
      const ranges = this.#ranges.get(document)!;
      let most = 0;
      let mask = 0;
      let title = 0;
      for (let r = 0; r < ranges.length; r += 2)
        for (let i = ranges[r]!; i < ranges[r + 1]!; i++) {
          if (pinned.size > 0 && pinned.has(numbers[i]!)) return Infinity;
          if (own[i]! > most) most = own[i]!;
          const units = maskOf(frequencies, i);
          if (codes[i]! & 1) title |= units;
          else mask |= units;
        }
      const key = mask * 2 ** 32 + (title >>> 0);
      const context = contexts.get(key) ?? weights.contextLimit(mask, title);
      contexts.set(key, context);
      return most + context + TOLERANCE;
    });
  }
}

/** More than rounding errors of a score. */
const TOLERANCE = 1e-6;

function joinColumns(columns: readonly Uint32Array[]): Uint32Array {
  if (columns.length === 1) return columns[0]!;
  const all = new Uint32Array(columns.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const column of columns) {
    all.set(column, at);
    at += column.length;
  }
  return all;
}

function joinedMatches(matches: readonly Matches[]): Matches {
  if (matches.length === 1) return matches[0]!;
  const column = (of: (some: Matches) => Uint32Array) =>
    joinColumns(matches.map((some) => of(some).subarray(0, some.size)));
  return {
    size: matches.reduce((sum, { size }) => sum + size, 0),
    numbers: column(({ numbers }) => numbers),
    codes: column(({ codes }) => codes),
    frequencies: (matches[0]?.frequencies ?? []).map((_, u) => column(({ frequencies }) => frequencies[u]!)),
  };
}

/** Indexes of `limits` by descending limit, taken one after the other: few are needed. */
class ByLimit {
  readonly #limits: Float64Array;
  readonly #heap: Uint32Array;
  #size: number;

  constructor(limits: Float64Array) {
    this.#limits = limits;
    this.#heap = Uint32Array.from(limits, (_, i) => i);
    this.#size = limits.length;
    for (let at = (this.#size >> 1) - 1; at >= 0; at--) this.#sift(at);
  }

  get size(): number {
    return this.#size;
  }

  get highest(): number {
    return this.#size === 0 ? -Infinity : this.#limits[this.#heap[0]!]!;
  }

  take(): number {
    const heap = this.#heap;
    const first = heap[0]!;
    heap[0] = heap[--this.#size]!;
    this.#sift(0);
    return first;
  }

  #sift(from: number): void {
    const heap = this.#heap;
    const limits = this.#limits;
    const moved = heap[from]!;
    const limit = limits[moved]!;
    let at = from;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.#size) break;
      if (child + 1 < this.#size && limits[heap[child + 1]!]! > limits[heap[child]!]!) child++;
      if (limits[heap[child]!]! <= limit) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = moved;
  }
}

export type BestRequest = {
  readonly limit: number;
  readonly afterKey?: TopKey;
  readonly frozen?: Statistics;
  readonly pinned?: ReadonlySet<number>;
  readonly layouts: LayoutReader;
  /** Bits of the units that count only in the block itself. */
  readonly functionWords: number;
};

const nothingPinned: ReadonlySet<number> = new Set();

/** Keeps what a page needs of the scored hits of one document after the other, until no other can reach it. */
type Collector = { offer(hits: readonly BestHit[], document: number): void; readonly threshold: number };

/**
 * Scores the documents in descending order of the most that one of their blocks can score, until the rest cannot reach
 * what is collected.
 */
export async function rankDocuments(
  found: Evaluation,
  { frozen, pinned = nothingPinned, layouts, functionWords }: Omit<BestRequest, "limit" | "afterKey">,
  collector: Collector,
  pause: Pause,
): Promise<void> {
  const all = new DocumentMatches(found);
  const statistics = frozen ?? found.statistics;
  const weights = new Weights(statistics, functionWords);
  const queue = new ByLimit(all.limits(statistics, weights, pinned));
  for (let rest = pause(); queue.size > 0 && queue.highest >= collector.threshold; rest = pause()) {
    if (rest) await rest;
    const documents: number[] = [];
    while (documents.length < AT_ONCE && queue.size > 0 && queue.highest >= collector.threshold)
      documents.push(all.documents[queue.take()]!);
    const known = await layouts(documents);
    for (const document of documents) {
      const layout = known.get(document) ?? NO_LAYOUT;
      collector.offer(scoreDocument(all.matches, all.candidatesOf(document), layout, weights, pinned), document);
    }
  }
}

/** The best hits after `afterKey`. */
export async function bestPage(found: Evaluation, request: BestRequest, pause: Pause): Promise<ResultPage> {
  const { limit, afterKey } = request;
  const top = new TopHits<BestHit>(limit + 1);
  const collector: Collector = {
    offer(hits) {
      for (const hit of hits) if (!afterKey || compareKeys(afterKey, hit) < 0) top.offer(hit);
    },
    get threshold() {
      return top.threshold;
    },
  };
  await rankDocuments(found, request, collector, pause);
  const hits = top.sorted();
  return { hits: hits.slice(0, limit), more: hits.length > limit };
}
