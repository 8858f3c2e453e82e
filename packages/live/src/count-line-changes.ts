import { sameJson } from "@svc/document/canonical";
import { idOf } from "@svc/document/schema/node";
import { holdsBlocks, nodeTypes } from "@svc/document/schema/nodes";
import type { Node } from "@svc/document/types";

/** The nested blocks without child blocks, by id. */
function linesOf(block: Node, into = new Map<string, Node>()): Map<string, Node> {
  const type = nodeTypes[block.type];
  if (block.content && type && holdsBlocks(type)) for (const child of block.content) linesOf(child, into);
  else into.set(idOf(block), block);
  return into;
}

/** Whether more than `max` lines differ between two forms of a block, including added and removed lines. */
export function differsInMoreThan(max: number, before: Node, after: Node): boolean {
  const [old, now] = [linesOf(before), linesOf(after)];
  if (old.size + now.size <= max) return false;
  let same = 0;
  for (const [id, line] of now) {
    const known = old.get(id);
    if (known && sameJson(known, line)) same++;
  }
  return Math.max(old.size, now.size) - same > max;
}
