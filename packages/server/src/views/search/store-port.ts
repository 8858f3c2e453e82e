import type { EncodedPage, PageKind } from "./segment-format.ts";

// What search needs of a database. Every table begins its key with the workspace; the calls below are already bound to
// one workspace and to the caller's transaction.
//
// Tables:
// - counters, one row per workspace: epoch (grows with every rebuild), tokenizer version, live blocks, sum of their
//   lengths, next block number, next segment id, next document number.
// - segments: id (never used twice), epoch, state (live, building), level, base, last, blocks, term pages, removed,
//   tombstones, runs, payload.
// - pages: segment id, kind, number -> bytes (at most 4,000; PostgreSQL: STORAGE PLAIN), first term (term pages: the
//   directory; compared by bytes, COLLATE "C"; never needed in SQL beyond reading a segment's list in order).
// - blocks: block number -> document number, block id (null for the title), length. Also looked up by document.
// - documents: document number, source_version, indexed_version, with a partial index on rows where they differ.
//
// Who writes what: a body change inserts one level-0 row and moves the counters; it changes no other segment. Only the
// merger, one process per workspace, changes or deletes rows. So the two never wait for each other. A reader takes
// segments and pages from one snapshot.

export type Counters = {
  readonly epoch: number;
  readonly tokenizerVersion: number;
  readonly blocks: number;
  readonly totalLength: number;
  readonly nextNumber: number;
};

export type SegmentRow = {
  readonly id: number;
  readonly level: number;
  /** Lowest and highest number; `last < base` if the row holds removals alone. */
  readonly base: number;
  readonly last: number;
  /** Blocks put in, dead ones included. */
  readonly blocks: number;
  readonly termPages: number;
  /** Packed numbers of older blocks that this change removed, wherever they are. Level 0 only. */
  readonly removed: Uint8Array;
  /** Packed numbers of this segment's own dead blocks, brought here by merges of level 0. */
  readonly tombstones: Uint8Array;
  /** Packed document runs. */
  readonly runs: Uint8Array;
  /** All pages of a small segment; null if they are rows of their own. */
  readonly payload: Uint8Array | null;
};

export type NewSegment = Omit<SegmentRow, "id"> & { readonly pages: readonly EncodedPage[] };
export type BlockRow = {
  readonly number: number;
  readonly document: number;
  /** Null for the title. */
  readonly blockId: string | null;
  readonly length: number;
};

export type CounterChange = { readonly blocks: number; readonly length: number; readonly nextNumber: number };

export type MergeSwap = {
  readonly removedIds: readonly number[];
  /** Null if nothing was left alive. */
  readonly merged: { readonly id: number; readonly row: Omit<SegmentRow, "id" | "payload"> } | null;
  /** New packed tombstones of older segments. */
  readonly tombstones: ReadonlyMap<number, Uint8Array>;
};

export type SearchStore = {
  /** In a write: locks the row to the end of the transaction, so that number order is commit order. */
  readCounters(): Promise<Counters>;
  changeCounters(change: CounterChange): Promise<void>;
  /** Live segments, ascending by base, then id. */
  readSegments(): Promise<readonly SegmentRow[]>;
  insertSegment(segment: NewSegment): Promise<void>;
  /** First terms of a segment's term pages in order; only for segments without payload. Immutable, so cacheable. */
  readDirectory(segment: number): Promise<readonly string[]>;
  readPages(keys: readonly { segment: number; kind: PageKind; number: number }[]): Promise<readonly Uint8Array[]>;
  insertBlocks(blocks: readonly BlockRow[]): Promise<void>;
  deleteBlocks(numbers: readonly number[]): Promise<void>;
  findBlocks(numbers: readonly number[]): Promise<readonly BlockRow[]>;
  /** A segment in state building and its id; pages of a building segment left by a crash are deleted by the next merge. */
  beginMerge(): Promise<number>;
  writePages(segment: number, pages: readonly EncodedPage[]): Promise<void>;
  /** One transaction: the merged segment becomes live, its inputs and their pages go, older rows get tombstones. */
  swapMerged(swap: MergeSwap): Promise<void>;
};
