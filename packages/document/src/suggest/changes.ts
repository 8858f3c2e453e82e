import { sameJson } from "../canonical.ts";
import { defined } from "../defined.ts";
import { type BlockPlaces, type ChangeType, diffPlaces } from "../diff.ts";
import { longestIncreasing } from "../longest-increasing.ts";
import { idOf } from "../schema/node.ts";
import type { Node } from "../types.ts";

/** One proposed change of a top-level block. */
export interface ProposedChange {
  readonly block_id: string;
  readonly change_type: ChangeType;
  /** The block in the base; null if the change adds it. */
  readonly before: Node | null;
  /** The proposed block; null if the change removes it. */
  readonly after: Node | null;
  /** The blocks before it in the proposal, nearest first; null if its position does not change. */
  readonly follows: readonly string[] | null;
}

/** Max preceding blocks that a change records: enough to find its position if some of them are deleted. */
const MAX_FOLLOWED = 16;

/** The changes from the base to the proposal, block by block. */
export function proposedChanges(base: readonly Node[], proposed: readonly Node[]): ProposedChange[] {
  const places = diffPlaces(base, proposed);
  const moved = movedBlocks(base, proposed, places);
  return places.map(({ block_id, change_type, old_position, new_position }) => ({
    block_id,
    change_type,
    before: old_position === null ? null : defined(base[old_position]),
    after: new_position === null ? null : defined(proposed[new_position]),
    follows: new_position !== null && moved.has(block_id) ? idsBefore(proposed, new_position) : null,
  }));
}

function idsBefore(blocks: readonly Node[], position: number): string[] {
  return blocks
    .slice(Math.max(0, position - MAX_FOLLOWED), position)
    .map(idOf)
    .reverse();
}

/** Returns the blocks whose position changes: new, moved, and modified blocks that left the order of the base. */
function movedBlocks(
  base: readonly Node[],
  proposed: readonly Node[],
  places: readonly BlockPlaces[],
): ReadonlySet<string> {
  const types = new Map(places.map(({ block_id, change_type }) => [block_id, change_type]));
  const positions = new Map(base.map((node, position) => [idOf(node), position]));
  const moved = new Set<string>();
  let run: { readonly id: string; readonly position: number }[] = [];
  let start = -1;
  // Unchanged blocks are fixed. A modified block stays if it is still between the same two of them, and in order.
  const closeRun = (end: number) => {
    const fitting = run.filter(({ position }) => start < position && position < end);
    const inOrder = new Set(
      longestIncreasing(fitting.map(({ position }) => position)).map((i) => defined(fitting[i]).id),
    );
    for (const { id } of run) if (!inOrder.has(id)) moved.add(id);
    run = [];
    start = end;
  };
  for (const id of proposed.map(idOf)) {
    const [type, position] = [types.get(id), positions.get(id)];
    if (type === "added" || type === "moved") moved.add(id);
    else if (type === "modified") run.push({ id, position: defined(position) });
    else closeRun(defined(position));
  }
  closeRun(base.length);
  return moved;
}

/** Whether the block of a change has since changed in another way, so that the change cannot be applied. */
export function isInConflict(current: Node | undefined, { change_type, before, after }: ProposedChange): boolean {
  if (change_type === "added") return current !== undefined && !sameJson(current, after);
  if (change_type === "removed") return current !== undefined && !sameJson(current, before);
  if (change_type === "moved") return current === undefined;
  return current === undefined || !(sameJson(current, before) || sameJson(current, after));
}

/** Whether the change has been undone: the block has its earlier content or, if it only moved, another position. */
export function isUndone(blocks: readonly Node[], { block_id, change_type, before, follows }: ProposedChange): boolean {
  const at = blocks.findIndex((block) => idOf(block) === block_id);
  if (change_type !== "moved") return sameJson(blocks[at] ?? null, before);
  const previous = blocks[at - 1];
  return at >= 0 && (previous && idOf(previous)) !== follows?.[0];
}
