import { sameJson } from "@svc/document/canonical";
import { defined } from "@svc/document/defined";
import { idOf } from "@svc/document/schema/node";
import type { NewId, Node } from "@svc/document/types";
import * as Y from "yjs";
import { UnreadableBlock } from "./element.ts";
import type { LiveState } from "./live-state.ts";
import { isBlockId, nestedIds, repairNode } from "./repair-node.ts";
import { repairTables } from "./repair-tables.ts";
import { applyWithRescue } from "./rescue-text.ts";

interface FoldOptions {
  /** The blocks at the last fold, when the live state and the body were equal. */
  readonly base: readonly Node[];
  /** The current blocks of the body; the same list as `base` if nobody else wrote. */
  readonly body: readonly Node[];
  /** The id of the top-level block of the body that has or holds a block of this id. */
  readonly holderOf: (id: string) => string | undefined;
  /** The editors' updates since the last fold, in the order in which they were stored. */
  readonly rows: readonly Uint8Array[];
  readonly newId: NewId;
  /** Whether this type is allowed at the top level. */
  readonly isTopLevel: (type: string) => boolean;
  /** Whether rescued words may get a line of their own; false in spreadsheets. */
  readonly makesLines: boolean;
  /** Called with the index of a row and each block that it touches. */
  readonly touched?: ((row: number, blockId: string) => void) | undefined;
  /** Changes the live state once the updates are in it. */
  readonly correct?: ((live: LiveState) => void) | undefined;
}

interface Folded {
  /** The new body; the live state holds the same blocks. */
  readonly blocks: readonly Node[];
  /** The fold's own changes, to be stored behind the rows, if any. */
  readonly update: Uint8Array | undefined;
}

/**
 * Folds have even client ids and tabs odd ones, so any process knows the words that programs wrote. Client 1 makes a
 * state from its body.
 */
export const nextFoldClient = (next: number): number => next + (next % 2);

const isFoldClient = (client: number): boolean => client % 2 === 0;

const FOLD = Symbol("fold");

/**
 * Merges a live state and a body. Other writers' changes go into the live state first and the editors' updates after
 * them, so a line that an editor joins, splits or moves takes along what a program wrote into it meanwhile.
 */
export function fold(live: LiveState, options: FoldOptions): Folded {
  const { base, body, newId, rows, makesLines } = options;
  const updates: Uint8Array[] = [];
  const collect = (update: Uint8Array, origin: unknown) => {
    if (origin === FOLD) updates.push(update);
  };
  live.doc.on("update", collect);
  if (body !== base) live.setBlocks(body, { origin: FOLD, equal: new Set(base), renews: true });
  live.takeChanged();
  const inRows = new Set<string>();
  for (const [index, row] of rows.entries()) {
    const rescued = applyWithRescue(live, row, { origin: "rows", newId, makesLines, isOwn: isFoldClient });
    if (rescued) updates.push(rescued);
    for (const id of options.touched ? live.takeChanged() : []) {
      inRows.add(id);
      options.touched?.(index, id);
    }
  }
  live.markChanged(inRows);
  const { correct } = options;
  if (correct) live.doc.transact(() => correct(live), FOLD);
  const known = finderIn(body);
  const touched = live.takeChanged();
  live.doc.transact(() => repair(live, touched, known, options), FOLD);
  const changed = new Set([...touched, ...live.takeChanged()]);
  live.doc.off("update", collect);
  const blocks = readBlocks(live, body, changed, known);
  return { blocks, update: updates.length > 0 ? Y.mergeUpdates(updates) : undefined };
}

/** The blocks of the live state; blocks of the body that did not change stay the same objects. */
function readBlocks(
  live: LiveState,
  body: readonly Node[],
  changed: ReadonlySet<string>,
  known: (id: string) => Node | undefined,
): readonly Node[] {
  const blocks = live.order.map((id, position) => {
    const beside = body[position];
    const before = beside && idOf(beside) === id ? beside : known(id);
    if (before && !changed.has(id)) return before;
    const node = defined(live.node(id));
    return before && sameJson(before, node) ? before : node;
  });
  const isSame = blocks.length === body.length && blocks.every((block, i) => block === body[i]);
  return isSame ? body : blocks;
}

/** Up to this many blocks are found by a linear search; more get an index. Most folds change one or two. */
const MAX_LINEAR_SEARCH = 8;

/** Finds blocks by id. */
function finderIn(blocks: readonly Node[]): (id: string) => Node | undefined {
  let index: Map<string, Node> | undefined;
  let looked = 0;
  return (id) => {
    if (!index && looked++ < MAX_LINEAR_SEARCH) return blocks.find((block) => idOf(block) === id);
    index ??= new Map(blocks.map((block) => [idOf(block), block]));
    return index.get(id);
  };
}

/** Repairs what concurrent edits or a forging client broke in the changed blocks. */
function repair(
  live: LiveState,
  changed: ReadonlySet<string>,
  known: (id: string) => Node | undefined,
  { holderOf, newId, isTopLevel }: FoldOptions,
): void {
  /** New nested ids in this fold, with the block that uses each. */
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
      (!own.has(nested) && isHeld(live, holderOf(nested), nested, changed));
    const fitting = node && isTopLevel(node.type) ? repairNode(node, newId, isTaken) : undefined;
    const repaired = fitting && repairTables(fitting, before, newId);
    if (repaired) for (const nested of nestedIds(repaired)) claimed.set(nested, id);
    if (!isBlockId(id)) rename(live, id, repaired);
    else if (!repaired) restore(live, id, before);
    else if (repaired !== node) live.patch(repaired);
  }
  live.repairOrder();
}

/** A block as JSON, with a new id if its key is not a valid one; undefined if it cannot be read. */
function read(live: LiveState, id: string, newId: NewId): Node | undefined {
  try {
    const node = live.node(id);
    return node && !isBlockId(id) ? { ...node, attrs: { ...node.attrs, id: newId() } } : node;
  } catch (error) {
    if (error instanceof UnreadableBlock) return undefined;
    throw error;
  }
}

/** Whether the block that held an id still holds it. */
function isHeld(live: LiveState, holder: string | undefined, id: string, changed: ReadonlySet<string>): boolean {
  if (holder === undefined || !live.has(holder)) return false;
  if (!changed.has(holder)) return true;
  const node = read(live, holder, () => holder);
  return node !== undefined && nestedIds(node).has(id);
}

/** Moves a block whose key is not a block id to a new id. */
function rename(live: LiveState, id: string, node: Node | undefined): void {
  const key = live.key(id);
  live.remove(id);
  if (node) live.insert(node, key ?? live.lastKey());
}

/** Restores a broken block to its last valid form, or deletes it. */
function restore(live: LiveState, id: string, before: Node | undefined): void {
  const key = live.key(id) ?? live.lastKey();
  live.remove(id);
  if (before) live.insert(before, key);
}
