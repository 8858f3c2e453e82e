import { sameJson } from "./canonical.ts";
import { defined } from "./defined.ts";
import { longestIncreasing } from "./longest-increasing.ts";
import { idOf } from "./schema/node.ts";
import type { Node } from "./types.ts";

/** Merges a block that both sides changed. `base` is undefined when both sides added a block of the same id. */
export type MergeBlock = (base: Node | undefined, theirs: Node, mine: Node) => Node;

interface Merge3Options {
  readonly mergeBlock: MergeBlock;
  /**
   * Merges a block that one side changed and the other side deleted. Left out, it stays deleted. Given, a block
   * that `mine` changed and `theirs` deleted comes back as what this function answers.
   */
  readonly revive?: (mine: Node) => Node;
}

interface Merged {
  readonly blocks: readonly Node[];
  /** Ids of blocks that `mine` changed and `theirs` deleted, in the order of `mine`. */
  readonly lost: readonly string[];
}

/**
 * The three-way merge of lists of top-level blocks by id. A block that changed on one side has that side's form; one that
 * changed on both sides is merged by `mergeBlock`; one that either side deleted is deleted. The order is that of `theirs`;
 * what only `mine` moved or added stands behind the block that it follows in `mine`. Blocks that did not change stay the
 * same objects, those of `theirs` first.
 */
export function merge3(
  base: readonly Node[],
  theirs: readonly Node[],
  mine: readonly Node[],
  { mergeBlock, revive }: Merge3Options,
): Merged {
  const [inBase, inTheirs, inMine] = [byId(base), byId(theirs), byId(mine)];
  const lost: string[] = [];
  const contents = new Map<string, Node>();
  for (const [id, node] of inTheirs) {
    const [before, own] = [inBase.get(id), inMine.get(id)];
    if (own !== undefined) contents.set(id, mergeOne(before, node, own, mergeBlock));
    else if (before === undefined) contents.set(id, node);
  }
  for (const [id, own] of inMine) {
    const before = inBase.get(id);
    if (inTheirs.has(id)) continue;
    if (before === undefined) contents.set(id, own);
    else if (!sameJson(before, own)) {
      lost.push(id);
      if (revive) contents.set(id, revive(own));
    }
  }
  const order = mergeOrder(base, theirs, mine, (id) => contents.has(id));
  return { blocks: order.map((id) => contents.get(id)!), lost };
}

const byId = (blocks: readonly Node[]): Map<string, Node> => new Map(blocks.map((block) => [idOf(block), block]));

function mergeOne(base: Node | undefined, theirs: Node, mine: Node, mergeBlock: MergeBlock): Node {
  if (theirs === mine || sameJson(theirs, mine)) return theirs;
  if (base !== undefined && sameJson(base, mine)) return theirs;
  if (base !== undefined && sameJson(base, theirs)) return mine;
  return mergeBlock(base, theirs, mine);
}

/** Ids of the merged list in order. */
function mergeOrder(
  base: readonly Node[],
  theirs: readonly Node[],
  mine: readonly Node[],
  isThere: (id: string) => boolean,
): string[] {
  const positions = new Map(base.map((block, position) => [idOf(block), position]));
  const movedByTheirs = movedOf(positions, theirs);
  const movedByMine = movedOf(positions, mine);
  const theirIds = new Set(theirs.map(idOf));
  /** Placed by what stands before it in `mine`: added by `mine`, or moved by `mine` alone. */
  const isMinesToPlace = (id: string) => !theirIds.has(id) || (movedByMine.has(id) && !movedByTheirs.has(id));
  const followers = new Map<string | undefined, string[]>();
  let previous: string | undefined;
  for (const block of mine) {
    const id = idOf(block);
    if (!isThere(id)) continue;
    if (!isMinesToPlace(id)) previous = id;
    else if (!followers.has(previous)) followers.set(previous, [id]);
    else defined(followers.get(previous)).push(id);
  }
  const order = [...(followers.get(undefined) ?? [])];
  for (const block of theirs) {
    const id = idOf(block);
    if (!isThere(id) || isMinesToPlace(id)) continue;
    order.push(id);
    for (const follower of followers.get(id) ?? []) order.push(follower);
  }
  return order;
}

/** Ids of blocks of the base whose order among each other changed; as few as possible. */
function movedOf(positions: ReadonlyMap<string, number>, blocks: readonly Node[]): ReadonlySet<string> {
  const known = blocks.map(idOf).filter((id) => positions.has(id));
  const steady = new Set(longestIncreasing(known.map((id) => positions.get(id)!)));
  return new Set(known.filter((_, index) => !steady.has(index)));
}
