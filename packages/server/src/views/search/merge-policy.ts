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
 * What to merge next, if anything. Rows ascending; `busy` are inputs of a merge under way, which may go on beside this
 * one. New rows come at the end and only neighbours merge, so levels never grow along the list. Numbers that newer
 * rows removed stay with those rows until they are merged themselves: a removal is recorded in exactly one place.
 */
export function nextMerge(rows: readonly SegmentRow[], busy: ReadonlySet<number> = nobody): MergePlan | undefined {
  const levelZero = neighbours(rows, 0, busy);
  if (levelZero.length >= levelZeroFanIn || (levelZero.length > 0 && hasHiddenDead(rows))) return plan(levelZero, 1);
  for (let level = 1; level <= (rows[0]?.level ?? 0); level++) {
    const equal = neighbours(rows, level, busy);
    if (equal.length >= fanIn) return plan(equal, level + 1);
  }
  const wasteful = rows.find((row) => row.level > 0 && !busy.has(row.id) && hasOwnDead(row));
  return wasteful && plan([wasteful], wasteful.level);
}

const nobody: ReadonlySet<number> = new Set();

/** The last rows of a level that stand together. */
function neighbours(rows: readonly SegmentRow[], level: number, busy: ReadonlySet<number>): SegmentRow[] {
  const isFree = (row: SegmentRow): boolean => row.level === level && !busy.has(row.id);
  const last = rows.findLastIndex(isFree);
  let first = last;
  while (first > 0 && isFree(rows[first - 1]!)) first--;
  return last < 0 ? [] : rows.slice(first, last + 1);
}

const isWasteful = (row: SegmentRow, dead: number): boolean => dead > row.blocks * deadShare;

/** A packed number takes at least one byte, so most rows are done without unpacking. */
const hasOwnDead = (row: SegmentRow): boolean =>
  isWasteful(row, row.tombstones.length) && isWasteful(row, unpackNumbers(row.tombstones).length);

/** Whether removals recorded in level 0 make an older segment wasteful: they have to be brought there first. */
function hasHiddenDead(rows: readonly SegmentRow[]): boolean {
  const removed = rows.reduce((sum, row) => sum + row.removed.length, 0);
  const older = rows.filter((row) => row.level > 0);
  if (removed === 0 || !older.some((row) => isWasteful(row, row.tombstones.length + removed))) return false;
  const dead = deadNumbers(rows);
  return rows.some((row, i) => row.level > 0 && isWasteful(row, dead[i]!.length));
}

function plan(inputs: readonly SegmentRow[], level: number): MergePlan {
  return { inputs, level, dead: deadNumbers(inputs) };
}

/** The swap that ends a merge. `rows` as they are now: rows may have been added and tombstones brought since. */
export function finishMerge(
  { inputs, level, dead }: MergePlan,
  rows: readonly SegmentRow[],
  merged: MergedSegment,
  id: number,
  termPages: number,
): MergeSwap {
  const ids = new Set(inputs.map((row) => row.id));
  const row = {
    level,
    base: merged.base,
    last: merged.last,
    blocks: merged.blocks,
    termPages,
    removed: new Uint8Array(0),
    tombstones: lateTombstones(
      rows.filter((row) => ids.has(row.id)),
      dead,
    ),
    runs: merged.runs,
  };
  const others = rows.filter((row) => !ids.has(row.id));
  return {
    removedIds: [...ids],
    merged: merged.blocks > 0 ? { id, row } : null,
    tombstones: carriedTombstones(inputs, others),
  };
}

/** Tombstones that reached the inputs after the merge had read theirs. */
function lateTombstones(inputs: readonly SegmentRow[], left: readonly Uint32Array[]): Uint8Array {
  const dropped = new Set(left.flatMap((numbers) => [...numbers]));
  const now = uniteNumbers(inputs.map((row) => unpackNumbers(row.tombstones)));
  return packNumbers(now.filter((number) => !dropped.has(number)));
}

/** What the inputs removed from other segments goes into the tombstones of those. */
function carriedTombstones(inputs: readonly SegmentRow[], others: readonly SegmentRow[]): Map<number, Uint8Array> {
  const removed = uniteNumbers(inputs.map((row) => unpackNumbers(row.removed)));
  const carried = new Map<number, Uint8Array>();
  for (const row of others) {
    const within = removed.subarray(lowerBound(removed, row.base), lowerBound(removed, row.last + 1));
    if (within.length === 0) continue;
    carried.set(row.id, packNumbers(uniteNumbers([unpackNumbers(row.tombstones), within])));
  }
  return carried;
}
