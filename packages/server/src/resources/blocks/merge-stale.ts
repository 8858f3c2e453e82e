import { sameJson } from "@svc/document/canonical";
import { serialiseBlock } from "@svc/document/markdown/serialise";
import { merge3 } from "@svc/document/merge3";
import { idOf } from "@svc/document/schema/node";
import type { Node } from "@svc/document/types";
import type { StoredBody } from "../../bodies/body.ts";
import { apiError } from "../../errors.ts";

/** A block that was changed on both sides; null where it is gone. */
interface Conflict {
  readonly block_id: string;
  readonly base: string | null;
  readonly theirs: string | null;
  readonly mine: string | null;
}

/**
 * What an edit of an older version comes to on the current one. Blocks that only one side changed have that side's form;
 * where both changed the same block nothing is merged, and the refusal shows both.
 */
export function mergeStale(base: StoredBody, current: StoredBody, mine: readonly Node[]): readonly Node[] {
  const conflicts: Conflict[] = [];
  const add = (block_id: string, sides: Record<"base" | "theirs" | "mine", Node | undefined>): void => {
    const shown = Object.entries(sides).map(([side, node]) => [side, node ? serialiseBlock(node).text : null]);
    conflicts.push({ block_id, ...Object.fromEntries(shown) });
  };
  const [inBase, inMine] = [byId(base.blocks), byId(mine)];
  for (const theirs of current.blocks) {
    const before = inBase.get(idOf(theirs));
    if (before && !inMine.has(idOf(theirs)) && !sameJson(before, theirs))
      add(idOf(theirs), { base: before, theirs, mine: undefined });
  }
  const { blocks, lost } = merge3(base.blocks, current.blocks, mine, {
    mergeBlock: (before, theirs, own) => {
      add(idOf(own), { base: before, theirs, mine: own });
      return theirs;
    },
  });
  for (const id of lost) add(id, { base: inBase.get(id), theirs: undefined, mine: inMine.get(id) });
  if (conflicts.length === 0) return blocks;
  throw apiError("version_conflict", {
    current_version: current.version,
    expected_version: base.version,
    conflicts: conflicts.slice(0, 20),
    hint: "details.conflicts has both sides of each block: send a text that keeps both, on the current version.",
  });
}

const byId = (blocks: readonly Node[]): ReadonlyMap<string, Node> => new Map(blocks.map((node) => [idOf(node), node]));
