import { defined } from "@svc/document/defined";
import { matchReplaced } from "../../domain/knowledge/localization/blocks/pair-blocks.ts";
import {
  listTextBlocks,
  type TextBlock,
  textBlocksIn,
} from "../../domain/knowledge/localization/blocks/text-blocks.ts";
import type { BodyDelta } from "../../services/body-views.ts";

/** The effect of one write on text blocks, computed from the changed top-level blocks alone. */
export interface LineChanges {
  readonly old: ReadonlyMap<string, TextBlock>;
  readonly current: ReadonlyMap<string, TextBlock>;
  readonly changed: readonly string[];
  readonly gone: readonly string[];
  readonly added: readonly string[];
  /** Maps a removed block to the added one that replaces it. */
  readonly replaced: ReadonlyMap<string, string>;
}

export function lineChanges(delta: BodyDelta, counts: (block: TextBlock) => boolean): LineChanges {
  const old = new Map<string, TextBlock>();
  const current = new Map<string, TextBlock>();
  const add = (to: Map<string, TextBlock>, blocks: BodyDelta["before"], position: number | null) => {
    if (position === null) return;
    for (const block of textBlocksIn(defined(blocks[position]))) if (counts(block)) to.set(block.id, block);
  };
  for (const { old_position, new_position } of delta.changes) {
    add(old, delta.before, old_position);
    add(current, delta.after, new_position);
  }
  const gone = [...old.keys()].filter((id) => !current.has(id));
  const added = [...current.keys()].filter((id) => !old.has(id));
  const changed = [...current]
    .filter(([id, { hash }]) => old.has(id) && defined(old.get(id)).hash !== hash)
    .map(([id]) => id);
  const lines = (blocks: BodyDelta["before"]) => listTextBlocks(blocks).filter(counts);
  const replaced =
    gone.length > 0 && added.length > 0 ? matchReplaced(lines(delta.before), lines(delta.after)) : new Map();
  return { old, current, changed, gone, added, replaced };
}
