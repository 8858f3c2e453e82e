import { SegmentCache, type SegmentParts } from "../segment/segment-cache.ts";
import type { SegmentView } from "../segment/segment-view.ts";
import { segmentViews } from "../segment/segment-view.ts";
import type { Counters, PageKey, SearchReads } from "../segment/store-port.ts";
import type { Cache, MakeCache } from "./cache.ts";
import { EvaluationMemory } from "./evaluation-memory.ts";
import { TermMemory } from "./term-memory.ts";

/** What a query needs to know of an index before it looks at terms. */
export type IndexState = {
  readonly segments: readonly SegmentView[];
  /** Pages of the segments that keep them in their row, by segment and name. */
  readonly parts: ReadonlyMap<number, SegmentParts>;
  /** Documents whose blocks are not to be found. */
  readonly hidden: ReadonlySet<number>;
};

type KnownState = IndexState & { readonly stamp: number };

const megabyte = 1024 * 1024;

/**
 * What one process remembers of indexes. Nothing in it can be out of date: a state is known by the stamp that every
 * change of an index renews, and is only used by a reader whose snapshot has that stamp; pages and terms belong to
 * segments, which never change.
 */
export class SearchMemory {
  readonly pages: Cache<Uint8Array>;
  readonly terms = new TermMemory(64 * megabyte);
  readonly evaluations: EvaluationMemory;
  private readonly segments = new SegmentCache(64 * megabyte);
  private readonly states: Cache<KnownState>;

  constructor(makeCache: MakeCache) {
    this.pages = makeCache(64 * megabyte);
    this.evaluations = new EvaluationMemory(makeCache, 16 * megabyte);
    this.states = makeCache(64 * megabyte);
  }

  async state(store: SearchReads, { stamp }: Counters): Promise<IndexState> {
    const known = this.states.get(store.workspaceId);
    if (known?.stamp === stamp) return known;
    const rows = await store.readSegments();
    const parts = new Map<number, SegmentParts>();
    for (const row of rows) if (row.blocks > 0) parts.set(row.id, await this.segments.parts(row, store));
    const hidden = new Set(await store.readHidden());
    const state = { stamp, segments: segmentViews(rows, parts), parts, hidden };
    this.states.set(store.workspaceId, state, bytesOf(state));
    return state;
  }
}

function bytesOf({ segments, parts, hidden }: IndexState): number {
  let bytes = hidden.size * 32;
  for (const { dead } of segments) bytes += 512 + dead.length * 4;
  for (const part of parts.values()) bytes += part.bytes;
  return bytes;
}

/** A page's name for as long as its segment lasts, and after. */
export const lastingName = (stamp: number, { kind, number }: Pick<PageKey, "kind" | "number">): string =>
  `${stamp}/${kind}/${number}`;
