import type { DocumentRuns } from "./document-runs.ts";
import { lowerBound, uniteNumbers, unpackNumbers } from "./packed-numbers.ts";
import type { SegmentParts } from "./segment-cache.ts";
import type { PageKind } from "./segment-format.ts";
import type { SegmentRow } from "./store-port.ts";

/** A segment as a query uses it. Everything except `dead` never changes and may be cached by the segment's id. */
export type SegmentView = {
  readonly id: number;
  /** Unique id, used in cache keys. */
  readonly stamp: number;
  readonly base: number;
  readonly last: number;
  /** The directory: first term of each term page. */
  readonly firstTerms: readonly string[];
  readonly runs: DocumentRuns;
  /** The document of each number from `base` on; undefined if most numbers were removed. */
  readonly documents: Uint32Array | undefined;
  /** Removed block numbers, ascending. */
  readonly dead: Uint32Array;
};

/** Contains every requested page. */
export type PageSource = { page(segment: number, kind: PageKind, number: number): Uint8Array };

/** All numbers that any of the rows removed. */
export const removedNumbers = (rows: readonly Pick<SegmentRow, "removed">[]): Uint32Array =>
  uniteNumbers(rows.filter((row) => row.removed.length > 0).map((row) => unpackNumbers(row.removed)));

/** The part of ascending numbers within a row's range. */
export const within = (numbers: Uint32Array, { base, last }: Pick<SegmentRow, "base" | "last">): Uint32Array =>
  numbers.subarray(lowerBound(numbers, base), lowerBound(numbers, last + 1));

/** Dead numbers of each row: its own tombstones and the numbers in its range that any row removed. Rows ascending. */
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

/** The segments with blocks, in the evaluator's form. */
export function segmentViews(rows: readonly SegmentRow[], parts: ReadonlyMap<number, SegmentParts>): SegmentView[] {
  const dead = deadNumbers(rows, (id) => parts.get(id)?.tombstones ?? none);
  return rows.flatMap((row, i) => {
    if (row.blocks === 0) return [];
    const { stamp, firstTerms, runs, documents } = parts.get(row.id)!;
    return [{ id: row.id, stamp, base: row.base, last: row.last, firstTerms, runs, documents, dead: dead[i]! }];
  });
}
