import { packNumbers } from "./packed-numbers.ts";
import { packPages, payloadPages } from "./payload.ts";
import { type IndexedBlock, SegmentBuilder } from "./segment-build.ts";
import type { EncodedSegment, Field } from "./segment-format.ts";
import type { CounterChange, NewSegment } from "./store-port.ts";

/** What one change of a body (or of a title) does to the index. A modified block is removed and added. */
export type BlockChange = {
  readonly document: number;
  readonly added: readonly { readonly field: Field; readonly text: string }[];
  /** As the block table knows them. */
  readonly removed: readonly IndexedBlock[];
};

export type IndexChange = {
  /** Undefined if nothing was added or removed. */
  readonly segment: NewSegment | undefined;
  /** For each added block its number and length; undefined for a text without words, which is not indexed. */
  readonly added: readonly (IndexedBlock | undefined)[];
  readonly counters: CounterChange;
};

const none = new Uint8Array(0);

/** `nextNumber` comes from the locked counter row. Several documents may share one segment (imports). */
export function indexChange(nextNumber: number, changes: readonly BlockChange[]): IndexChange {
  const builder = new SegmentBuilder(nextNumber);
  const added = changes.flatMap(({ document, added }) =>
    added.map(({ field, text }) => builder.add(document, field, text)),
  );
  const removed = changes.flatMap((change) => change.removed);
  const indexed = added.filter((block) => block !== undefined);
  return {
    segment: newSegment(builder.encode(), nextNumber, removed),
    added,
    counters: {
      blocks: indexed.length - removed.length,
      length: sumOfLengths(indexed) - sumOfLengths(removed),
      nextNumber: builder.nextNumber,
    },
  };
}

const sumOfLengths = (blocks: readonly IndexedBlock[]): number => blocks.reduce((sum, block) => sum + block.length, 0);

function newSegment(
  encoded: EncodedSegment | undefined,
  nextNumber: number,
  removed: readonly IndexedBlock[],
): NewSegment | undefined {
  if (!encoded && removed.length === 0) return undefined;
  const { base, last, blocks, pages, runs } = encoded ?? {
    base: nextNumber,
    last: nextNumber - 1,
    blocks: 0,
    pages: [],
    runs: none,
  };
  const isSmall = pages.length <= payloadPages;
  return {
    level: 0,
    base,
    last,
    blocks,
    termPages: pages.filter((page) => page.kind === "terms").length,
    removed: packNumbers(removed.map((block) => block.number).sort((a, b) => a - b)),
    runs,
    payload: isSmall ? packPages(pages) : null,
    pages: isSmall ? [] : pages,
  };
}
