import { packNumbers, uniteNumbers, unpackNumbers, withoutNumbers } from "../segment/packed-numbers.ts";
import { removedNumbers, within } from "../segment/segment-view.ts";
import type { MergeSwap, SearchReads, SegmentRow } from "../segment/store-port.ts";
import type { MergedSegment } from "./segment-merge.ts";

/** The number of level-0 segments that are merged into one of level 1. */
export const LEVEL_ZERO_FAN_IN = 16;
/** The number of neighbours of an equal higher level that are merged into one of the next. */
const FAN_IN = 8;
/** The maximum of segments in one merge: finding the lowest term among very many costs more than a second pass. */
const MAX_INPUTS = 64;
/** How much of a segment must be dead to make merging it alone worthwhile. */
interface Tidying {
  /** Blocks. */
  readonly least: number;
  /** The share of the segment's blocks: removing one dead block of five rewrites the four others. */
  readonly share: number;
}

const AT_ONCE: Tidying = { least: 0, share: 0.2 };
/** Applied once a round of work, and at any time in it. */
export const SOME_DEAD: Tidying = { least: 256, share: 0.3 };
export const MANY_DEAD: Tidying = { least: 2048, share: 0.3 };
export const NO_TIDYING: Tidying = { least: Number.POSITIVE_INFINITY, share: 1 };

/** The neighbours to merge and the level of the result. */
export type MergePlan = { readonly inputs: readonly SegmentRow[]; readonly level: number };

/**
 * Returns the next merge, if any. Rows are ascending; `busy` are inputs of a running merge, which may continue beside
 * this one. New rows are appended and only neighbours merge, so levels never grow along the list. Numbers that newer
 * rows removed stay with those rows until they are merged themselves, so each removal is recorded exactly once.
 * `tidying` decides when a segment is merged because of its dead blocks.
 */
export function nextMerge(
  rows: readonly SegmentRow[],
  busy: ReadonlySet<number> = nobody,
  tidying = AT_ONCE,
): MergePlan | undefined {
  const levelZero = neighbours(rows, 0, busy);
  if (levelZero.length >= LEVEL_ZERO_FAN_IN || (levelZero.length > 0 && hasHiddenDead(rows, tidying)))
    return { inputs: levelZero.slice(0, MAX_INPUTS), level: 1 };
  for (let level = 1; level <= (rows[0]?.level ?? 0); level++) {
    const equal = neighbours(rows, level, busy);
    if (equal.length >= FAN_IN) return { inputs: equal.slice(0, MAX_INPUTS), level: level + 1 };
  }
  const wasteful = rows.find((row) => row.level > 0 && !busy.has(row.id) && isWasteful(row, row.dead, tidying));
  return wasteful && { inputs: [wasteful], level: wasteful.level };
}

const nobody: ReadonlySet<number> = new Set();

/** The last consecutive rows of a level. */
function neighbours(rows: readonly SegmentRow[], level: number, busy: ReadonlySet<number>): SegmentRow[] {
  const isFree = (row: SegmentRow): boolean => row.level === level && !busy.has(row.id);
  const last = rows.findLastIndex(isFree);
  let first = last;
  while (first > 0 && isFree(rows[first - 1]!)) first--;
  return last < 0 ? [] : rows.slice(first, last + 1);
}

const isWasteful = (row: SegmentRow, dead: number, { least, share }: Tidying): boolean =>
  dead >= least && dead > row.blocks * share;

/**
 * Whether removals recorded in level 0 make an older segment wasteful: then they must first be moved there. A packed
 * number takes at least one byte, so most rows need no unpacking.
 */
function hasHiddenDead(rows: readonly SegmentRow[], tidying: Tidying): boolean {
  const bytes = rows.reduce((sum, row) => sum + row.removed.length, 0);
  const older = rows.filter((row) => row.level > 0);
  if (bytes === 0 || !older.some((row) => isWasteful(row, row.dead + bytes, tidying))) return false;
  const removed = removedNumbers(rows);
  return older.some((row) => isWasteful(row, row.dead + within(removed, row).length, tidying));
}

type FinishedMerge = MergePlan & {
  /** The omitted numbers of each input. */
  readonly dead: readonly Uint32Array[];
  readonly merged: MergedSegment;
  readonly id: number;
  readonly termPages: number;
};

type Reads = Pick<SearchReads, "readSegments" | "readParts">;

/** The swap that ends a merge. Rows and tombstones may have been added since it began. */
export async function finishMerge(
  reads: Reads,
  { inputs, level, dead, merged, id, termPages }: FinishedMerge,
): Promise<MergeSwap> {
  const ids = new Set(inputs.map((row) => row.id));
  const rows = await reads.readSegments();
  const late = await lateTombstones(
    reads,
    rows.filter((row) => ids.has(row.id)),
    dead,
  );
  const { base, last, blocks, runs } = merged;
  const row = { id, level, base, last, blocks, termPages, dead: late.length, tombstones: packNumbers(late), runs };
  return {
    removedIds: [...ids],
    levelZero: inputs.filter((input) => input.level === 0).length,
    merged: blocks > 0 ? row : null,
    tombstones: await carriedTombstones(
      reads,
      inputs,
      rows.filter((row) => !ids.has(row.id)),
    ),
  };
}

const tombstonesOf = async (reads: Reads, { id }: SegmentRow): Promise<Uint32Array> =>
  unpackNumbers((await reads.readParts(id)).tombstones);

/** Tombstones that were added to the inputs after the merge had read theirs. */
async function lateTombstones(
  reads: Reads,
  inputs: readonly SegmentRow[],
  left: readonly Uint32Array[],
): Promise<Uint32Array> {
  const now: Uint32Array[] = [];
  for (const row of inputs) if (row.dead > 0) now.push(await tombstonesOf(reads, row));
  return withoutNumbers(uniteNumbers(now), uniteNumbers(left));
}

/** Moves the inputs' removals from other segments to the tombstones of those. */
async function carriedTombstones(
  reads: Reads,
  inputs: readonly SegmentRow[],
  others: readonly SegmentRow[],
): Promise<MergeSwap["tombstones"]> {
  const removed = removedNumbers(inputs);
  const carried = new Map<number, { packed: Uint8Array; dead: number }>();
  for (const row of others) {
    const fresh = within(removed, row);
    if (fresh.length === 0) continue;
    const all = uniteNumbers([await tombstonesOf(reads, row), fresh]);
    carried.set(row.id, { packed: packNumbers(all), dead: all.length });
  }
  return carried;
}
