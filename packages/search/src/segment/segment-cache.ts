import { type DocumentRuns, documentsByNumber, unpackRuns } from "./document-runs.ts";
import { unpackNumbers } from "./packed-numbers.ts";
import { unpackPages } from "./payload.ts";
import type { PageKind } from "./segment-format.ts";
import type { SearchReads, SegmentRow, StoredParts } from "./store-port.ts";

/** A segment's parts, unpacked; `pages` only of small segments, keyed as `pageName` says. */
export type SegmentParts = {
  /** The segment's. */
  readonly stamp: number;
  readonly firstTerms: readonly string[];
  readonly runs: DocumentRuns;
  /** See `documentsByNumber`. */
  readonly documents: Uint32Array | undefined;
  /** Ascending. */
  readonly tombstones: Uint32Array;
  readonly pages: ReadonlyMap<string, Uint8Array> | undefined;
  /** What all this takes in memory, roughly. */
  readonly bytes: number;
};

export const pageName = (kind: PageKind, number: number): string => `${kind}/${number}`;

/** Bytes a first term takes in memory, roughly. */
const termBytes = 64;

type PartReads = Pick<SearchReads, "readDirectory" | "readParts">;

/**
 * All of a segment but the tombstones never changes, and those only grow: as long as stamp and count are the row's,
 * nothing here can be out of date. What was not used for longest goes first.
 */
export class SegmentCache {
  private readonly kept = new Map<number, { stamp: number; parts: SegmentParts }>();
  private readonly maxBytes: number;
  private bytes = 0;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  async parts(row: SegmentRow, store: PartReads): Promise<SegmentParts> {
    const kept = this.kept.get(row.id);
    const known = kept?.stamp === row.stamp ? kept : undefined;
    if (known && known.parts.tombstones.length === row.dead) {
      this.kept.delete(row.id);
      this.kept.set(row.id, known);
      return known.parts;
    }
    const stored = await store.readParts(row.id);
    const parts = await unpack(row, stored, known?.parts, store);
    if (!known || known.parts.tombstones.length < row.dead) this.keep(row, parts);
    return parts;
  }

  private keep(row: SegmentRow, parts: SegmentParts): void {
    this.bytes += parts.bytes - (this.kept.get(row.id)?.parts.bytes ?? 0);
    this.kept.set(row.id, { stamp: row.stamp, parts });
    for (const [id, oldest] of this.kept) {
      if (this.bytes <= this.maxBytes || id === row.id) break;
      this.kept.delete(id);
      this.bytes -= oldest.parts.bytes;
    }
  }
}

async function unpack(
  row: SegmentRow,
  stored: StoredParts,
  known: SegmentParts | undefined,
  store: PartReads,
): Promise<SegmentParts> {
  const tombstones = unpackNumbers(stored.tombstones);
  if (known) return { ...known, tombstones, bytes: known.bytes + (row.dead - known.tombstones.length) * 4 };
  const runs = unpackRuns(stored.runs, row.base);
  const documents = documentsByNumber(runs, row);
  const bytes =
    row.termPages * termBytes +
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
