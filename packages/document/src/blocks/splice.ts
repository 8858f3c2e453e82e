import { defined } from "../defined.ts";
import { withBlocks, withContent } from "../schema/node.ts";
import { hasBlockId } from "../schema/nodes.ts";
import { joinText } from "../schema/normalise.ts";
import type { Body, Node } from "../types.ts";
import type { Path } from "./find.ts";

/**
 * Takes `count` children at `index` out of the container at `path` and puts `nodes` in their place. Only the nodes
 * along the path are new; every other node is shared with the old body.
 */
export function spliceAt(body: Body, path: Path, index: number, count: number, nodes: readonly Node[]): Body {
  return withBlocks(body, spliceBelow(body.content, path, 0, index, count, nodes));
}

function spliceBelow(
  siblings: readonly Node[],
  path: Path,
  level: number,
  index: number,
  count: number,
  nodes: readonly Node[],
): readonly Node[] {
  if (level === path.length) return spliceSiblings(siblings, index, count, nodes);
  const node = defined(siblings[defined(path[level])]);
  const content = spliceBelow(node.content ?? [], path, level + 1, index, count, nodes);
  return put(siblings, defined(path[level]), withContent(node, content));
}

/** A copy with another node at one place. (`with` of arrays does the same and takes ten times as long.) */
function put(siblings: readonly Node[], index: number, node: Node): readonly Node[] {
  const copy = siblings.slice();
  copy[index] = node;
  return copy;
}

function spliceSiblings(
  siblings: readonly Node[],
  index: number,
  count: number,
  nodes: readonly Node[],
): readonly Node[] {
  if (count === 1 && nodes.length === 1) return put(siblings, index, defined(nodes[0]));
  const spliced = siblings.slice(0, index).concat(nodes, siblings.slice(index + count));
  return isLine(spliced, index) ? joinText(spliced) : spliced;
}

/** Whether the nodes around an index stand in a line of text, where adjacent text may have to be joined. */
const isLine = (nodes: readonly Node[], index: number): boolean =>
  nodes[index] !== undefined
    ? !hasBlockId(nodes[index].type)
    : nodes.length > 0 && !hasBlockId(defined(nodes.at(-1)).type);

export const replaceAt = (body: Body, path: Path, node: Node): Body =>
  spliceAt(body, path.slice(0, -1), defined(path.at(-1)), 1, [node]);
