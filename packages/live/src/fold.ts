import { blockIds } from "@svc/document/blocks/find";
import { sameJson } from "@svc/document/canonical";
import { defined } from "@svc/document/defined";
import { merge3 } from "@svc/document/merge3";
import { idOf } from "@svc/document/schema/node";
import type { NewId, Node } from "@svc/document/types";
import { UnreadableBlock } from "./element.ts";
import type { LiveState } from "./live-state.ts";
import { mergeBlock } from "./merge-block.ts";
import { isBlockId, nestedIds, repairNode } from "./repair-node.ts";
import { squareTables } from "./square-tables.ts";

/** What a live state was last equal to. */
interface Base {
  readonly blocks: readonly Node[];
  /** The id of the top-level block that has or holds a block of this id. */
  holderOf(id: string): string | undefined;
}

interface FoldOptions {
  readonly base: Base;
  /** The body's blocks now; the same list as the base's when nobody else wrote. */
  readonly body: readonly Node[];
  readonly newId: NewId;
  /** Whether a block of this type may stand at the top level. */
  readonly isTopLevel: (type: string) => boolean;
  /** Marks the changes that the fold itself makes to the live state. */
  readonly origin: unknown;
}

interface Folded {
  readonly blocks: readonly Node[];
  /** Ids of blocks that editors changed and somebody else deleted. */
  readonly lost: readonly string[];
}

/**
 * Brings a live state and a body together. Afterwards the live state holds the same blocks as the answer, which is what
 * the body has to become. Only blocks that changed in the live state since the last fold are read.
 */
export function fold(live: LiveState, options: FoldOptions): Folded {
  const { base, body, newId, origin } = options;
  const known = finderIn(base.blocks);
  const touched = live.takeChanged();
  live.doc.transact(() => repair(live, touched, known, options), origin);
  const changed = new Set([...touched, ...live.takeChanged()]);
  const mine = live.order.map((id, position) => {
    const beside = base.blocks[position];
    const before = beside && idOf(beside) === id ? beside : known(id);
    if (before && !changed.has(id)) return before;
    const node = defined(live.node(id));
    return before && sameJson(before, node) ? before : node;
  });
  const isSame = mine.length === base.blocks.length && mine.every((block, i) => block === base.blocks[i]);
  const own = isSame ? base.blocks : mine;
  if (body === base.blocks) return { blocks: own, lost: [] };
  const merged = merge3(base.blocks, body, own, { mergeBlock });
  const blocks = withUniqueIds(merged.blocks, new Set(body), known, newId);
  live.setBlocks(blocks, { origin, equal: new Set(own), renews: true });
  live.takeChanged();
  return { blocks, lost: merged.lost };
}

/** So many blocks are looked for one by one before an index is made of them: most folds change one or two. */
const FEW = 8;

/** Finds blocks by id. */
function finderIn(blocks: readonly Node[]): (id: string) => Node | undefined {
  let index: Map<string, Node> | undefined;
  let looked = 0;
  return (id) => {
    if (!index && looked++ < FEW) return blocks.find((block) => idOf(block) === id);
    index ??= new Map(blocks.map((block) => [idOf(block), block]));
    return index.get(id);
  };
}

/** Blocks of the body stay as they are; others that would bring an id in twice, or cannot stand, are repaired. */
function withUniqueIds(
  blocks: readonly Node[],
  bodys: ReadonlySet<Node>,
  known: (id: string) => Node | undefined,
  newId: NewId,
): readonly Node[] {
  const taken = blockIds(blocks.filter((block) => bodys.has(block)));
  for (const block of blocks) taken.add(idOf(block));
  return blocks.flatMap((block) => {
    if (bodys.has(block)) return block;
    const repaired = repairNode(block, newId, (id) => taken.has(id));
    for (const id of repaired ? nestedIds(repaired) : []) taken.add(id);
    return repaired ? squareTables(repaired, known(idOf(block)), newId) : [];
  });
}

/** Mends what concurrent edits or a forging client left in the changed blocks. */
function repair(
  live: LiveState,
  changed: ReadonlySet<string>,
  known: (id: string) => Node | undefined,
  { base, newId, isTopLevel }: FoldOptions,
): void {
  /** New nested ids of this fold, and who has them. */
  const claimed = new Map<string, string>();
  for (const id of changed) if (live.map.has(id) && !live.has(id)) live.remove(id);
  for (const id of live.order) {
    if (!changed.has(id)) continue;
    const node = read(live, id, newId);
    const before = known(id);
    const own = before ? nestedIds(before) : new Set<string>();
    const isTaken = (nested: string) =>
      live.has(nested) ||
      (claimed.get(nested) ?? id) !== id ||
      (!own.has(nested) && isHeld(live, base.holderOf(nested), nested, changed));
    const fitting = node && isTopLevel(node.type) ? repairNode(node, newId, isTaken) : undefined;
    const repaired = fitting && squareTables(fitting, before, newId);
    if (repaired) for (const nested of nestedIds(repaired)) claimed.set(nested, id);
    if (!isBlockId(id)) rename(live, id, repaired);
    else if (!repaired) restore(live, id, before);
    else if (repaired !== node) live.patch(repaired);
  }
  live.repairOrder();
}

/** A block as JSON, under a new id if its key is none; undefined when it cannot be read. */
function read(live: LiveState, id: string, newId: NewId): Node | undefined {
  try {
    const node = live.node(id);
    return node && !isBlockId(id) ? { ...node, attrs: { ...node.attrs, id: newId() } } : node;
  } catch (error) {
    if (error instanceof UnreadableBlock) return undefined;
    throw error;
  }
}

/** Whether the block that held an id before still has it. */
function isHeld(live: LiveState, holder: string | undefined, id: string, changed: ReadonlySet<string>): boolean {
  if (holder === undefined || !live.has(holder)) return false;
  if (!changed.has(holder)) return true;
  const node = read(live, holder, () => holder);
  return node !== undefined && nestedIds(node).has(id);
}

/** A key that is no block id: its block goes on under a new one. */
function rename(live: LiveState, id: string, node: Node | undefined): void {
  const key = live.key(id);
  live.remove(id);
  if (node) live.insert(node, key ?? live.lastKey());
}

/** A block that cannot stand goes back to its last good form, or goes. */
function restore(live: LiveState, id: string, before: Node | undefined): void {
  const key = live.key(id) ?? live.lastKey();
  live.remove(id);
  if (before) live.insert(before, key);
}
