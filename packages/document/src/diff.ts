import { sameJson } from "./canonical.ts";
import { longestIncreasing } from "./longest-increasing.ts";
import { excerpt, plainText } from "./read/text.ts";
import { idOf } from "./schema/node.ts";
import type { Node } from "./types.ts";

export type ChangeType = "added" | "removed" | "modified" | "moved";

/** A top-level block's change and its positions in two bodies. Positions are indexes among top-level blocks. */
export interface BlockPlaces {
  readonly block_id: string;
  readonly change_type: ChangeType;
  /** null when added */
  readonly old_position: number | null;
  /** null when removed */
  readonly new_position: number | null;
}

/** One top-level block's change between two bodies. */
export interface BlockChange extends BlockPlaces {
  /** The beginning of the block's text: as it is now, or as it was when removed. */
  readonly excerpt: string;
}

/**
 * Lists the changes between two lists of top-level blocks, one item per block: first the removed by old position, then
 * the others by new position.
 *
 * A block that was modified is `modified` whether or not it also moved; its positions show that. Of the unmodified blocks,
 * as many as can be keep their order (a longest increasing subsequence); only the rest are `moved`, so a block that is
 * merely shifted by its neighbours is not mentioned.
 *
 * To follow with a list of block ids: take out every block that is mentioned, then put those that have a
 * `new_position` back in, in the order given, each at that index. This holds because what is not mentioned keeps its
 * order, so that when an item's turn comes, all that stands before it in the new list is already there.
 *
 * `ends` are those of the two lists, where they are known.
 */
export function diffPlaces(
  before: readonly Node[],
  after: readonly Node[],
  { start, tail }: CommonEnds = commonEnds(before, after),
): BlockPlaces[] {
  const old = before.slice(start, before.length - tail);
  const current = after.slice(start, after.length - tail);
  const oldPositions = new Map(old.map((node, position) => [idOf(node), position]));
  const steady = steadyBlocks(old, current, oldPositions);
  const kept = new Set(current.map(idOf));
  const changes: BlockPlaces[] = [];
  for (let i = 0; i < old.length; i++)
    if (!kept.has(idOf(old[i]!))) changes.push(change(old[i]!, "removed", i + start, null));
  for (let i = 0; i < current.length; i++) {
    const node = current[i]!;
    const oldPosition = oldPositions.get(idOf(node));
    if (oldPosition === undefined) changes.push(change(node, "added", null, i + start));
    else if (!steady.same.has(i)) changes.push(change(node, "modified", oldPosition + start, i + start));
    else if (!steady.inOrder.has(i)) changes.push(change(node, "moved", oldPosition + start, i + start));
  }
  return changes;
}

function change(node: Node, type: ChangeType, oldPosition: number | null, newPosition: number | null): BlockPlaces {
  return { block_id: idOf(node), change_type: type, old_position: oldPosition, new_position: newPosition };
}

/** The beginning of a changed block's text: as it is now, or as it was when removed. */
export function excerptOf(places: BlockPlaces, before: readonly Node[], after: readonly Node[]): string {
  const { old_position, new_position } = places;
  return excerpt(plainText(new_position === null ? before[old_position!]! : after[new_position]!));
}

/** How many blocks at the beginning and at the end are the same objects in both lists. */
export interface CommonEnds {
  readonly start: number;
  readonly tail: number;
}

export function commonEnds(before: readonly Node[], after: readonly Node[]): CommonEnds {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let tail = 0;
  while (tail < most - start && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  return { start, tail };
}

/** New positions of the blocks that are unmodified, and of those among them that keep their order. */
function steadyBlocks(
  old: readonly Node[],
  current: readonly Node[],
  oldPositions: ReadonlyMap<string, number>,
): { same: ReadonlySet<number>; inOrder: ReadonlySet<number> } {
  const same: number[] = [];
  const positions: number[] = [];
  for (let i = 0; i < current.length; i++) {
    const oldPosition = oldPositions.get(idOf(current[i]!));
    if (oldPosition === undefined || !sameJson(old[oldPosition], current[i])) continue;
    same.push(i);
    positions.push(oldPosition);
  }
  const inOrder = longestIncreasing(positions).map((index) => same[index]!);
  return { same: new Set(same), inOrder: new Set(inOrder) };
}
