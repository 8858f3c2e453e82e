import type { Statistics } from "../query/bm25.ts";
import type { Evaluation, Pause } from "../query/evaluation.ts";
import type { ResultPage } from "../query/result-page.ts";
import { compareKeys, TopHits, type TopKey } from "../query/top-hits.ts";
import { byDocument, mayReach } from "./document-matches.ts";
import { type DocumentLayout, NO_LAYOUT } from "./layout.ts";
import { type BestHit, scoreDocument } from "./score-document.ts";
import { Weights } from "./weights.ts";

/** Returns the layouts of documents by their numbers; of one that is not indexed now, none. */
export type LayoutReader = (documents: readonly number[]) => Promise<ReadonlyMap<number, DocumentLayout>>;

/** Documents whose layouts are read at once. */
const AT_ONCE = 32;

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
  evaluation: Evaluation,
  { frozen, pinned = nothingPinned, layouts, functionWords }: Omit<BestRequest, "limit" | "afterKey">,
  collector: Collector,
  pause: Pause,
): Promise<void> {
  const all = byDocument(evaluation);
  const statistics = frozen ?? evaluation.statistics;
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
      const found = all.of(document);
      if (!mayReach(found, weights, pinned, collector.threshold)) continue;
      const { matches, candidates } = found;
      collector.offer(scoreDocument(matches, candidates, layout, weights, pinned), document);
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
