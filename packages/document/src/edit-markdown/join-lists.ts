import { blockId, withContent } from "../schema/node.ts";
import type { Node } from "../types.ts";

const lists: ReadonlySet<string> = new Set(["bulletList", "orderedList", "taskList"]);

/** Whether both are lists of the same kind. */
export const areLists = (a: Pick<Node, "type"> | undefined, b: Pick<Node, "type"> | undefined): boolean =>
  a !== undefined && b !== undefined && a.type === b.type && lists.has(b.type);
const isNew = (node: Node): boolean => blockId(node) === undefined;

interface Joined {
  readonly nodes: readonly Node[];
  /** Whether the neighbours are among the nodes. */
  readonly takesBefore: boolean;
  readonly takesAfter: boolean;
}

/**
 * New blocks between two stored ones. A new list (it has no id) beside another of its kind becomes part of that one:
 * two lists in a row would be read as one anyway.
 */
export function joinLists(before: Node | undefined, blocks: readonly Node[], after: Node | undefined): Joined {
  const [first, last] = [blocks[0], blocks.at(-1)];
  const takesBefore = areLists(before, first) && isNew(first!);
  const takesAfter = areLists(last, after) && isNew(last!) && !(takesBefore && blocks.length === 1);
  const nodes: Node[] = [];
  for (const block of [...(takesBefore ? [before!] : []), ...blocks, ...(takesAfter ? [after!] : [])]) {
    const previous = nodes.at(-1);
    if (previous && areLists(previous, block) && (isNew(previous) || isNew(block))) {
      const items = [...(previous.content ?? []), ...(block.content ?? [])];
      nodes[nodes.length - 1] = withContent(isNew(previous) ? block : previous, items);
    } else nodes.push(block);
  }
  return { nodes, takesBefore, takesAfter };
}

/** The items of lists that are put into a list of their kind; other nodes as they are. */
export const unwrapLists = (parent: { readonly type: string }, nodes: readonly Node[]): readonly Node[] =>
  lists.has(parent.type) && nodes.every((node) => node.type === parent.type)
    ? nodes.flatMap((node) => node.content ?? [])
    : nodes;
