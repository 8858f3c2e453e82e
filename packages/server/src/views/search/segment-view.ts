import { type DocumentRuns, unpackRuns } from "./document-runs.ts";
import type { SegmentView } from "./lookup.ts";
import { lowerBound, uniteNumbers, unpackNumbers } from "./packed-numbers.ts";
import type { SegmentRow } from "./store-port.ts";

/** The parts of a segment that never change; keep them in memory by the segment's id. */
export type SegmentParts = { readonly firstTerms: readonly string[]; readonly runs: DocumentRuns };

export const partsOf = (row: SegmentRow, firstTerms: readonly string[]): SegmentParts => ({
  firstTerms,
  runs: unpackRuns(row.runs),
});

/** Dead numbers of each row: its own tombstones and what any row removed from its range. Rows ascending. */
export function deadNumbers(
  rows: readonly Pick<SegmentRow, "base" | "last" | "removed" | "tombstones">[],
): Uint32Array[] {
  const removed = uniteNumbers(rows.map((row) => unpackNumbers(row.removed)));
  return rows.map((row) => {
    const within = removed.subarray(lowerBound(removed, row.base), lowerBound(removed, row.last + 1));
    return uniteNumbers([unpackNumbers(row.tombstones), within]);
  });
}

/** Segments that hold blocks, as the evaluator wants them. */
export function segmentViews(rows: readonly SegmentRow[], parts: (row: SegmentRow) => SegmentParts): SegmentView[] {
  const dead = deadNumbers(rows);
  return rows.flatMap((row, i) => {
    if (row.blocks === 0) return [];
    const { firstTerms, runs } = parts(row);
    return [{ id: row.id, base: row.base, last: row.last, firstTerms, runs, dead: dead[i]! }];
  });
}
