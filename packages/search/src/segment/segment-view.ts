import type { DocumentRuns } from "./document-runs.ts";
import { lowerBound, uniteNumbers, unpackNumbers } from "./packed-numbers.ts";
import type { SegmentParts } from "./segment-cache.ts";
import type { PageKind } from "./segment-format.ts";
import type { SegmentRow } from "./store-port.ts";

/** A segment as a query sees it. All but `dead` never changes and may be cached by the segment's id. */
export type SegmentView = {
  readonly id: number;
  /** Tells it from any other segment, and so what was read of it from that of others. */
  readonly stamp: number;
  readonly base: number;
  readonly last: number;
  /** The directory: first term of each term page. */
  readonly firstTerms: readonly string[];
  readonly runs: DocumentRuns;
  /** The document of each number from `base` on; undefined where most numbers are gone. */
  readonly documents: Uint32Array | undefined;
  /** Removed block numbers, ascending. */
  readonly dead: Uint32Array;
};

/** Holds every page that was asked for. */
export type PageSource = { page(segment: number, kind: PageKind, number: number): Uint8Array };

/** What any of the rows removed, wherever it is. */
export const removedNumbers = (rows: readonly Pick<SegmentRow, "removed">[]): Uint32Array =>
  uniteNumbers(rows.filter((row) => row.removed.length > 0).map((row) => unpackNumbers(row.removed)));

/** The part of ascending numbers that lies in a row's range. */
export const within = (numbers: Uint32Array, { base, last }: Pick<SegmentRow, "base" | "last">): Uint32Array =>
  numbers.subarray(lowerBound(numbers, base), lowerBound(numbers, last + 1));

/** Dead numbers of each row: its own tombstones and what any row removed from its range. Rows ascending. */
export function deadNumbers(
  rows: readonly Pick<SegmentRow, "id" | "base" | "last" | "removed">[],
  tombstonesOf: (id: number) => Uint32Array,
): Uint32Array[] {
  const removed = removedNumbers(rows);
  return rows.map((row) => {
    const fresh = within(removed, row);
    const own = tombstonesOf(row.id);
    return fresh.length === 0 ? own : uniteNumbers([own, fresh]);
  });
}

const none = new Uint32Array(0);

/** Segments that hold blocks, as the evaluator wants them. */
export function segmentViews(rows: readonly SegmentRow[], parts: ReadonlyMap<number, SegmentParts>): SegmentView[] {
  const dead = deadNumbers(rows, (id) => parts.get(id)?.tombstones ?? none);
  return rows.flatMap((row, i) => {
    if (row.blocks === 0) return [];
    const { stamp, firstTerms, runs, documents } = parts.get(row.id)!;
    return [{ id: row.id, stamp, base: row.base, last: row.last, firstTerms, runs, documents, dead: dead[i]! }];
  });
}
