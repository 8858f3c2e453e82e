import type { SegmentView } from "./lookup.ts";
import { lowerBound, uniteNumbers, unpackNumbers } from "./packed-numbers.ts";
import type { SegmentParts } from "./segment-cache.ts";
import type { SegmentRow } from "./store-port.ts";

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
export function segmentViews(rows: readonly SegmentRow[], parts: ReadonlyMap<number, SegmentParts>): SegmentView[] {
  const dead = deadNumbers(rows);
  return rows.flatMap((row, i) => {
    if (row.blocks === 0) return [];
    const { firstTerms, runs } = parts.get(row.id)!;
    return [{ id: row.id, base: row.base, last: row.last, firstTerms, runs, dead: dead[i]! }];
  });
}
