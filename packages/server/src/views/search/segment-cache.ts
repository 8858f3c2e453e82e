import { type DocumentRuns, unpackRuns } from "./document-runs.ts";
import { unpackPages } from "./payload.ts";
import type { PageKind } from "./segment-format.ts";
import type { SearchStore, SegmentRow } from "./store-port.ts";

/** The parts of a segment that never change; `pages` only of small segments, keyed as `pageName` says. */
export type SegmentParts = {
  readonly firstTerms: readonly string[];
  readonly runs: DocumentRuns;
  readonly pages: ReadonlyMap<string, Uint8Array> | undefined;
};

export const pageName = (kind: PageKind, number: number): string => `${kind}/${number}`;

/** Bytes a first term takes in memory, roughly. */
const termBytes = 64;

/** Segments never change and ids are never used again, so nothing here can be out of date; the oldest used go first. */
export class SegmentCache {
  private readonly kept = new Map<number, { parts: SegmentParts; bytes: number }>();
  private readonly maxBytes: number;
  private bytes = 0;

  constructor(maxBytes = 64 * 1024 * 1024) {
    this.maxBytes = maxBytes;
  }

  async parts(row: SegmentRow, store: Pick<SearchStore, "readDirectory">): Promise<SegmentParts> {
    const known = this.kept.get(row.id);
    if (known) {
      this.kept.delete(row.id);
      this.kept.set(row.id, known);
      return known.parts;
    }
    const parts = row.payload ? partsOfPayload(row, row.payload) : await partsOfPages(row, store);
    this.keep(row, parts);
    return parts;
  }

  private keep(row: SegmentRow, parts: SegmentParts): void {
    const bytes = row.termPages * termBytes + row.runs.length * 4 + (row.payload?.length ?? 0);
    this.kept.set(row.id, { parts, bytes });
    this.bytes += bytes;
    for (const [id, oldest] of this.kept) {
      if (this.bytes <= this.maxBytes || id === row.id) break;
      this.kept.delete(id);
      this.bytes -= oldest.bytes;
    }
  }
}

function partsOfPayload(row: SegmentRow, payload: Uint8Array): SegmentParts {
  const pages = unpackPages(payload);
  return {
    firstTerms: pages.filter((page) => page.kind === "terms").map((page) => page.firstTerm),
    runs: unpackRuns(row.runs),
    pages: new Map(pages.map((page) => [pageName(page.kind, page.number), page.bytes])),
  };
}

async function partsOfPages(row: SegmentRow, store: Pick<SearchStore, "readDirectory">): Promise<SegmentParts> {
  return { firstTerms: await store.readDirectory(row.id), runs: unpackRuns(row.runs), pages: undefined };
}
