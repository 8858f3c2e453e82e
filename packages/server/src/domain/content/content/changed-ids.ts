import { eachBlockId, listBlocks } from "@svc/document/blocks/find";
import { sameJson } from "@svc/document/canonical";
import type { BlockPlaces } from "@svc/document/diff";
import type { Node } from "@svc/document/types";

const nodesById = (block: Node | undefined): Map<string, Node> =>
  new Map(
    block ? listBlocks({ type: "doc", content: [block] }, { recursive: true }).map(({ id, node }) => [id, node]) : [],
  );

interface Difference {
  readonly changes: readonly BlockPlaces[];
  readonly before: { readonly blocks: readonly Node[] };
  readonly after: { readonly blocks: readonly Node[] };
}

/** Ids of all blocks that a write changed, including nested and removed ones. */
export function changedIds({ changes, before, after }: Difference): string[] {
  const ids = new Set<string>();
  for (const { block_id, change_type, old_position, new_position } of changes) {
    ids.add(block_id);
    if (change_type === "moved") continue;
    if (old_position === null || new_position === null) {
      const block = new_position === null ? before.blocks[old_position ?? 0] : after.blocks[new_position];
      if (block) eachBlockId([block], (id) => void ids.add(id));
      continue;
    }
    const old = nodesById(before.blocks[old_position]);
    const current = nodesById(after.blocks[new_position]);
    for (const [id, node] of current) if (!old.has(id) || !sameJson(old.get(id), node)) ids.add(id);
    for (const id of old.keys()) if (!current.has(id)) ids.add(id);
  }
  return [...ids];
}
