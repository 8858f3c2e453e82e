import { defined } from "../defined.ts";
import { idOf } from "../schema/node.ts";
import type { Node } from "../types.ts";
import { isInConflict, type ProposedChange } from "./changes.ts";

/** A change to make; with `wording`, a person's own blocks instead of the proposed one, whatever has changed since. */
export interface WantedChange extends ProposedChange {
  readonly id: string;
  readonly wording?: readonly Node[] | undefined;
}

interface AppliedChanges {
  readonly blocks: readonly Node[];
  readonly applied: readonly string[];
  /** Changes whose block has changed in another way since; nothing of them is in `blocks`. */
  readonly conflicts: readonly string[];
}

/** Makes the changes, in their order, on a body that may have moved on since they were proposed. */
export function applyChanges(current: readonly Node[], changes: readonly WantedChange[]): AppliedChanges {
  const applied: string[] = [];
  const conflicts: string[] = [];
  const blocks = [...current];
  for (const change of changes) {
    const at = blocks.findIndex((block) => idOf(block) === change.block_id);
    if (change.wording === undefined && isInConflict(blocks[at], change)) {
      conflicts.push(change.id);
      continue;
    }
    applied.push(change.id);
    make(blocks, at, change);
  }
  return { blocks, applied, conflicts };
}

function make(blocks: Node[], at: number, { change_type, after, follows, wording }: WantedChange): void {
  const current = at < 0 ? undefined : blocks[at];
  const result = wording ?? (change_type === "moved" ? [current ?? defined(after)] : after ? [after] : []);
  if (current && (follows === null || result.length === 0)) blocks.splice(at, 1, ...result);
  else {
    if (current) blocks.splice(at, 1);
    blocks.splice(placeFor(blocks, follows), 0, ...result);
  }
}

/** Behind the nearest of the blocks that it follows and that are still there; at the end when all of them are gone. */
function placeFor(blocks: readonly Node[], follows: readonly string[] | null): number {
  if (follows?.length === 0) return 0;
  for (const id of follows ?? []) {
    const at = blocks.findIndex((block) => idOf(block) === id);
    if (at >= 0) return at + 1;
  }
  return blocks.length;
}
