import { type DocumentRuns, documentsByNumber, unpackRuns } from "./document-runs.ts";
import { unpackNumbers } from "./packed-numbers.ts";
import { unpackPages } from "./payload.ts";
import type { PageKind } from "./segment-format.ts";
import type { SearchReads, SegmentRow, StoredParts } from "./store-port.ts";

/** A segment's parts, unpacked; `pages` only of small segments, keyed by `pageName`. */
export type SegmentParts = {
  /** The segment's stamp. */
  readonly stamp: number;
  readonly firstTerms: readonly string[];
  readonly runs: DocumentRuns;
  /** See `documentsByNumber`. */
  readonly documents: Uint32Array | undefined;
  /** Ascending. */
  readonly tombstones: Uint32Array;
  readonly pages: ReadonlyMap<string, Uint8Array> | undefined;
  /** Estimated bytes in memory. */
  readonly bytes: number;
};

export const pageName = (kind: PageKind, number: number): string => `${kind}/${number}`;

/** Estimated bytes of a first term in memory. */
const TERM_BYTES = 64;

type PartReads = Pick<SearchReads, "readDirectory" | "readParts">;

/** The parts of the caches in `query/cache.ts` that are used here. */
type PartsByStamp = {
  get(key: string): SegmentParts | undefined;
  put(key: string, value: SegmentParts, bytes: number): void;
};

/**
 * Only the tombstones of a segment ever change, and they only grow. So a cached value is current if it has the same
 * stamp and as many tombstones as the row has dead blocks.
 */
export class SegmentCache {
  readonly #parts: PartsByStamp;

  constructor(parts: PartsByStamp) {
    this.#parts = parts;
  }

  async parts(row: SegmentRow, store: PartReads): Promise<SegmentParts> {
    const key = String(row.stamp);
    const cached = this.#parts.get(key);
    if (cached?.tombstones.length === row.dead) return cached;
    const parts = await unpack(row, await store.readParts(row.id), cached, store);
    if (!cached || cached.tombstones.length < row.dead) this.#parts.put(key, parts, parts.bytes);
    return parts;
  }
}

async function unpack(
  row: SegmentRow,
  stored: StoredParts,
  cached: SegmentParts | undefined,
  store: PartReads,
): Promise<SegmentParts> {
  const tombstones = unpackNumbers(stored.tombstones);
  if (cached) return { ...cached, tombstones, bytes: cached.bytes + (row.dead - cached.tombstones.length) * 4 };
  const runs = unpackRuns(stored.runs, row.base);
  const documents = documentsByNumber(runs, row);
  const bytes =
    row.termPages * TERM_BYTES +
    (stored.runs.length + row.dead + (documents?.length ?? 0)) * 4 +
    (stored.payload?.length ?? 0);
  const { stamp } = row;
  if (!stored.payload)
    return {
      stamp,
      firstTerms: await store.readDirectory(row.id),
      runs,
      documents,
      tombstones,
      pages: undefined,
      bytes,
    };
  const pages = unpackPages(stored.payload);
  return {
    stamp,
    firstTerms: pages.filter((page) => page.kind === "terms").map((page) => page.firstTerm),
    runs,
    documents,
    tombstones,
    pages: new Map(pages.map((page) => [pageName(page.kind, page.number), page.bytes])),
    bytes,
  };
}
