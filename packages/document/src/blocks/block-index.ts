import { defined } from "../defined.ts";
import type { Body, Node } from "../types.ts";
import { eachBlockId, locate, type Path } from "./find.ts";

/** Knows which top-level block every block is in, and follows the body from edit to edit. */
interface BlockIndex {
  readonly locate: (body: Body, id: string) => Path | undefined;
  readonly has: (id: string) => boolean;
  /** Takes note of an edit. Costs one comparison of references per top-level block, and a walk of what changed. */
  readonly follow: (before: Body, after: Body) => void;
}

export function createBlockIndex(body: Body): BlockIndex {
  const owners = new Map<string, Node>();
  const add = (block: Node) => eachBlockId([block], (id) => owners.set(id, block));
  const remove = (block: Node) => eachBlockId([block], (id) => owners.get(id) === block && owners.delete(id));
  for (const block of body.content) add(block);
  return {
    has: (id) => owners.has(id),
    locate(current, id) {
      const block = owners.get(id);
      if (block === undefined) return undefined;
      const position = current.content.indexOf(block);
      return [position, ...defined(locate({ type: "doc", content: [block] }, id)).slice(1)];
    },
    follow(before, after) {
      const { gone, come } = changedBlocks(before.content, after.content);
      gone.forEach(remove);
      come.forEach(add);
    },
  };
}

/** Which nodes of the old list are not in the new one, and the other way round; by reference. */
function changedBlocks(before: readonly Node[], after: readonly Node[]): { gone: Node[]; come: Node[] } {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let tail = 0;
  const most = Math.min(before.length, after.length) - start;
  while (tail < most && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  const old = before.slice(start, before.length - tail);
  const current = after.slice(start, after.length - tail);
  const oldSet = new Set(old);
  const currentSet = new Set(current);
  return { gone: old.filter((node) => !currentSet.has(node)), come: current.filter((node) => !oldSet.has(node)) };
}
