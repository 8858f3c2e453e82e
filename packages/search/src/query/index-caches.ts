import { SegmentCache, type SegmentParts } from "../segment/segment-cache.ts";
import { type SegmentView, segmentViews } from "../segment/segment-view.ts";
import type { Counters, PageKey, SearchReads } from "../segment/store-port.ts";
import type { Cache, CacheMaker } from "./cache.ts";
import { EvaluationCache } from "./evaluation-cache.ts";
import { TermCache } from "./term-cache.ts";

/** The state of an index that a query needs before it looks up terms. */
export type IndexState = {
  readonly segments: readonly SegmentView[];
  /** Pages of the segments that store them in their row, by segment and name. */
  readonly parts: ReadonlyMap<number, SegmentParts>;
  /** Documents whose blocks must not be found. */
  readonly hidden: ReadonlySet<number>;
};

type CachedState = IndexState & { readonly stamp: number };

/**
 * One process's caches of indexes. Nothing in them can be out of date: a state is used only by a reader whose snapshot
 * has its stamp, which every change of an index renews; pages and terms belong to segments, which never change.
 */
export class IndexCaches {
  readonly pages: Cache<Uint8Array>;
  readonly terms: TermCache;
  readonly evaluations: EvaluationCache;
  readonly #segments: SegmentCache;
  readonly #states: Cache<CachedState>;

  constructor(make: CacheMaker) {
    this.pages = make.cache("search_pages", 1 / 2);
    this.terms = new TermCache(make);
    this.evaluations = new EvaluationCache(make);
    this.#segments = new SegmentCache(make.cache("search_segments", 1 / 2));
    this.#states = make.cache("search_states", 1 / 4);
  }

  async state(store: SearchReads, { stamp }: Counters): Promise<IndexState> {
    const cached = this.#states.get(store.workspaceId);
    if (cached?.stamp === stamp) return cached;
    const rows = await store.readSegments();
    const parts = new Map<number, SegmentParts>();
    for (const row of rows) if (row.blocks > 0) parts.set(row.id, await this.#segments.parts(row, store));
    const hidden = new Set(await store.readHidden());
    const state = { stamp, segments: segmentViews(rows, parts), parts, hidden };
    this.#states.put(store.workspaceId, state, bytesOf(state));
    return state;
  }
}

function bytesOf({ segments, parts, hidden }: IndexState): number {
  let bytes = hidden.size * 32;
  for (const { dead } of segments) bytes += 512 + dead.length * 4;
  for (const part of parts.values()) bytes += part.bytes;
  return bytes;
}

/** A page's name for the lifetime of its segment, and beyond. */
export const lastingName = (stamp: number, { kind, number }: Pick<PageKey, "kind" | "number">): string =>
  `${stamp}/${kind}/${number}`;
