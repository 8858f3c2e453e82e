import type { EncodedPage, PageKind } from "./segment-format.ts";

// The database operations that search needs. The calls already belong to one workspace and to the caller's transaction.
//
// Writers: a change to a body inserts one level-0 row and moves the counters; it changes no other segment. Only the
// merger, one process per workspace, changes or deletes rows. So the two never wait for each other. A reader takes
// counters, segments and pages from one snapshot.

export type Counters = {
  /** Grows with every rebuild. Only segments of the current epoch count. */
  readonly epoch: number;
  /** Blocks with a lower number belong to an older epoch. */
  readonly epochBase: number;
  readonly tokenizerVersion: number;
  /** Live blocks and the sum of their lengths. */
  readonly blocks: number;
  readonly totalLength: number;
  readonly nextNumber: number;
  readonly nextDocument: number;
  /** Chosen at random with every change of the index: an equal stamp means that a query reads equal data. */
  readonly stamp: number;
  /** Documents may wait to be indexed or removed in the background. */
  readonly hasBacklog: boolean;
};

export type SegmentRow = {
  /** Never used twice, unless the store was restored to an earlier state: the stamp differs then. */
  readonly id: number;
  /** Chosen at random for every segment. */
  readonly stamp: number;
  readonly level: number;
  /** Lowest and highest number; `last < base` if the row contains only removals. */
  readonly base: number;
  readonly last: number;
  /** The number of blocks put in, dead ones included. */
  readonly blocks: number;
  readonly termPages: number;
  /** Packed numbers of older blocks that this change removed, in any segment. Level 0 only. */
  readonly removed: Uint8Array;
  /** The number of its own dead blocks, as far as merges of level 0 have recorded them here. It only grows. */
  readonly dead: number;
};

/** The larger values of a segment. Only the tombstones ever change. */
export type StoredParts = {
  /** Packed numbers of the segment's own dead blocks: `dead` of them. */
  readonly tombstones: Uint8Array;
  /** Packed document runs. */
  readonly runs: Uint8Array;
  /** All pages of a small segment; null if they are separate rows. */
  readonly payload: Uint8Array | null;
};

export type NewSegment = Omit<SegmentRow, "id" | "stamp" | "dead"> &
  Pick<StoredParts, "runs" | "payload"> & { readonly pages: readonly EncodedPage[] };

export type CounterChange = { readonly blocks: number; readonly length: number; readonly nextNumber: number };

export type PageKey = { readonly segment: number; readonly kind: PageKind; readonly number: number };

export type MergeSwap = {
  readonly removedIds: readonly number[];
  /** The number of removed segments of level 0. */
  readonly levelZero: number;
  /** Null if nothing was left alive. */
  readonly merged: (Omit<SegmentRow, "stamp" | "removed"> & Pick<StoredParts, "runs" | "tombstones">) | null;
  /** Older segments that get these tombstones, packed. */
  readonly tombstones: ReadonlyMap<number, { readonly packed: Uint8Array; readonly dead: number }>;
};

/** The data that a query reads. */
export type SearchReads = {
  readonly workspaceId: string;
  readCounters(): Promise<Counters>;
  /** Live segments of the current epoch, ascending by base, then id. */
  readSegments(): Promise<readonly SegmentRow[]>;
  readParts(segment: number): Promise<StoredParts>;
  /** First terms of a segment's term pages in order; only for segments without payload. Immutable, so cacheable. */
  readDirectory(segment: number): Promise<readonly string[]>;
  readPages(keys: readonly PageKey[]): Promise<readonly Uint8Array[]>;
  /** Numbers of documents whose blocks must not be found. */
  readHidden(): Promise<readonly number[]>;
};

/** The segment id of a merge without a result. */
export const NO_SEGMENT = 0;

/** The operations that a merge needs. */
export type MergeStore = Pick<SearchReads, "readSegments" | "readParts" | "readPages"> & {
  /** Creates a segment in state building; the next merger removes unfinished ones after a crash. */
  beginMerge(): Promise<number>;
  writePages(segment: number, pages: readonly EncodedPage[]): Promise<void>;
  /**
   * Within one transaction: stores the last pages, starting a segment if none was started; lets `decide` look at the
   * current rows; then makes the change.
   */
  swapMerged(
    made: { readonly id: number | undefined; readonly pages: readonly EncodedPage[] },
    decide: (reads: Pick<SearchReads, "readSegments" | "readParts">, id: number) => Promise<MergeSwap>,
  ): Promise<void>;
};
