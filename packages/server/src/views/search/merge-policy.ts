import { lowerBound, packNumbers, uniteNumbers, unpackNumbers } from "./packed-numbers.ts";
import type { MergedSegment } from "./segment-merge.ts";
import { deadNumbers } from "./segment-view.ts";
import type { MergeSwap, SegmentRow } from "./store-port.ts";

/** Segments of level 0 that are merged into one of level 1. */
export const levelZeroFanIn = 16;
/** Neighbours of an equal higher level that are merged into one of the next. */
export const fanIn = 8;
/** Share of dead blocks above which a segment is written anew. */
export const deadShare = 0.2;

/** Neighbours to merge and the level of the result. `dead`: for each input the numbers to leave out. */
export type MergePlan = {
  readonly inputs: readonly SegmentRow[];
  readonly level: number;
  readonly dead: readonly Uint32Array[];
};

/**
 * What to merge next, if anything. Rows ascending; new rows come at the end and only neighbours merge, so levels never
 * grow along the list. Numbers that newer rows removed stay with those rows until they are merged themselves: a
 * removal is recorded in exactly one place.
 */
export function nextMerge(rows: readonly SegmentRow[]): MergePlan | undefined {
  const levelZero = rows.filter((row) => row.level === 0);
  if (levelZero.length >= levelZeroFanIn || (levelZero.length > 0 && hasHiddenDead(rows))) return plan(levelZero, 1);
  for (let level = 1; level <= (rows[0]?.level ?? 0); level++) {
    const equal = rows.filter((row) => row.level === level);
    if (equal.length >= fanIn) return plan(equal, level + 1);
  }
  const wasteful = rows.find((row) => row.level > 0 && isWasteful(row.blocks, unpackNumbers(row.tombstones).length));
  return wasteful && plan([wasteful], wasteful.level);
}

const isWasteful = (blocks: number, dead: number): boolean => dead > blocks * deadShare;

/** Whether removals recorded in level 0 make an older segment wasteful: they have to be brought there first. */
function hasHiddenDead(rows: readonly SegmentRow[]): boolean {
  if (rows.every((row) => row.removed.length === 0)) return false;
  const dead = deadNumbers(rows);
  return rows.some((row, i) => row.level > 0 && isWasteful(row.blocks, dead[i]!.length));
}

function plan(inputs: readonly SegmentRow[], level: number): MergePlan {
  return { inputs, level, dead: deadNumbers(inputs) };
}

/** The swap that ends a merge. `rows` as they are now: rows may have been added since the plan, none changed. */
export function finishMerge(
  { inputs, level }: MergePlan,
  rows: readonly SegmentRow[],
  merged: MergedSegment,
  id: number,
  termPages: number,
): MergeSwap {
  const removedIds = inputs.map((row) => row.id);
  const row = {
    level,
    base: merged.base,
    last: merged.last,
    blocks: merged.blocks,
    termPages,
    removed: new Uint8Array(0),
    tombstones: new Uint8Array(0),
    runs: merged.runs,
  };
  return { removedIds, merged: merged.blocks > 0 ? { id, row } : null, tombstones: carriedTombstones(inputs, rows) };
}

/** What the inputs removed from segments that are not among them goes into the tombstones of those segments. */
function carriedTombstones(inputs: readonly SegmentRow[], rows: readonly SegmentRow[]): Map<number, Uint8Array> {
  const merged = new Set(inputs.map((row) => row.id));
  const removed = uniteNumbers(inputs.map((row) => unpackNumbers(row.removed)));
  const carried = new Map<number, Uint8Array>();
  for (const row of rows) {
    if (merged.has(row.id)) continue;
    const within = removed.subarray(lowerBound(removed, row.base), lowerBound(removed, row.last + 1));
    if (within.length === 0) continue;
    carried.set(row.id, packNumbers(uniteNumbers([unpackNumbers(row.tombstones), within])));
  }
  return carried;
}
