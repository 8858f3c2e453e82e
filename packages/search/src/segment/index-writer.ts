import { type BlockOwner, packRuns } from "./document-runs.ts";
import { packNumbers } from "./packed-numbers.ts";
import { PAYLOAD_PAGES, packPages } from "./payload.ts";
import type { BuiltSegment } from "./segment-build.ts";
import { type EncodedPage, MAX_BLOCK_NUMBER, type SegmentHead } from "./segment-format.ts";
import type { CounterChange, NewSegment } from "./store-port.ts";

export type IndexedBlock = { readonly number: number; readonly length: number };

/** The effect of one change of a body (or of a title) on the index. A modified block is removed and added. */
export type BlockChange = {
  readonly document: number;
  readonly added: readonly unknown[];
  /** As in the block table. */
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

/**
 * `nextNumber` comes from the locked counter row. Several documents may share one segment (imports). `built` are the
 * added blocks of all changes: building them needs no index, so it is done before the lock.
 */
export function indexChange(nextNumber: number, changes: readonly BlockChange[], built: BuiltSegment): IndexChange {
  const { added, owners, next } = numberBlocks(nextNumber, changes, built.lengths);
  if (next - 1 > MAX_BLOCK_NUMBER) throw new RangeError("The workspace has used up its block numbers.");
  const removed = changes.flatMap((change) => change.removed);
  return {
    segment: newSegment({ base: nextNumber, last: next - 1 }, built.pages, packRuns(owners, nextNumber), removed),
    added,
    counters: {
      blocks: owners.length - removed.length,
      length: built.lengths.reduce((sum, length) => sum + length, 0) - sumOfLengths(removed),
      nextNumber: next,
    },
  };
}

function numberBlocks(nextNumber: number, changes: readonly BlockChange[], lengths: readonly number[]) {
  const added: (IndexedBlock | undefined)[] = [];
  const owners: BlockOwner[] = [];
  let next = nextNumber;
  for (const change of changes)
    for (let i = 0; i < change.added.length; i++) {
      const length = lengths[added.length]!;
      const number = length === 0 ? undefined : next++;
      added.push(number === undefined ? undefined : { number, length });
      if (number !== undefined) owners.push({ number, document: change.document });
    }
  return { added, owners, next };
}

const sumOfLengths = (blocks: readonly IndexedBlock[]): number => blocks.reduce((sum, block) => sum + block.length, 0);

function newSegment(
  { base, last }: Pick<SegmentHead, "base" | "last">,
  pages: readonly EncodedPage[],
  runs: Uint8Array,
  removed: readonly IndexedBlock[],
): NewSegment | undefined {
  const blocks = last - base + 1;
  if (blocks === 0 && removed.length === 0) return undefined;
  const isSmall = pages.length <= PAYLOAD_PAGES;
  return {
    level: 0,
    base,
    last,
    blocks,
    termPages: pages.filter((page) => page.kind === "terms").length,
    removed: removed.length === 0 ? none : packNumbers(removed.map((block) => block.number).sort((a, b) => a - b)),
    runs,
    payload: isSmall ? packPages(pages) : null,
    pages: isSmall ? [] : pages,
  };
}
