import { sameJson } from "@svc/document/canonical";
import { merge3 } from "@svc/document/merge3";
import { idOf, mapShared, withContent } from "@svc/document/schema/node";
import type { Node } from "@svc/document/types";
import { formOf } from "./element.ts";
import { mergeBlock } from "./merge-block.ts";
import { keysOf } from "./patch.ts";
import { diffHunks, type Hunk } from "./text-diff.ts";
import { type EarlierBlock, eachLeaf, nodeWith, TypedWords } from "./typed-words.ts";

/** A write whose author has not said which version they read. */
interface Write {
  /** The current top-level blocks. */
  readonly before: readonly Node[];
  /** The blocks that the write asks for. */
  readonly after: readonly Node[];
  /** Recent states of each block, by id, oldest first. */
  readonly earlier: ReadonlyMap<string, readonly EarlierBlock[]>;
}

class CannotMerge extends Error {}

/**
 * Merges a write with text that people typed recently. For each line, assumes that the writer read the state closest to
 * the new text, and keeps later changes word by word. Returns undefined if both sides changed the same words, or if the
 * write would remove a typed word.
 */
export function keepTyped({ before, after, earlier }: Write): readonly Node[] | undefined {
  const current = new Map(before.map((block) => [idOf(block), block]));
  try {
    const merged = mapShared(after, (block) => {
      const [mine, states] = [current.get(idOf(block)), earlier.get(idOf(block))];
      if (!mine || !states || mine === block) return block;
      return new BlockMerge(states, mine).merge(block, mine);
    });
    return hasAllWords(before, merged, earlier) ? merged : undefined;
  } catch (error) {
    if (error instanceof CannotMerge) return undefined;
    throw error;
  }
}

/**
 * Merges one top-level block: `theirs` is the writer's form of it or of a nested block, `mine` the form with the typed
 * text.
 */
class BlockMerge {
  readonly #states: readonly EarlierBlock[];
  readonly #words: TypedWords;

  constructor(states: readonly EarlierBlock[], block: Node) {
    this.#states = states;
    this.#words = new TypedWords(states, block);
  }

  merge(theirs: Node, mine: Node): Node {
    if (sameJson(theirs, mine)) return mine;
    const form = formOf(theirs);
    if (form === "none" || form !== formOf(mine)) return theirs;
    return form === "text" ? this.#mergeLine(theirs, mine) : this.#mergeChildren(theirs, mine);
  }

  #mergeLine(theirs: Node, mine: Node): Node {
    const base = this.#words.closestTo(theirs);
    if (!base || base === mine) return theirs;
    const keys = keysOf(base);
    const [ours, others] = [diffHunks(keys, keysOf(mine)), diffHunks(keys, keysOf(theirs))];
    if (ours.some((own) => others.some((other) => isConflict(own, other)))) throw new CannotMerge();
    const withText = ({ content = [] }: Node): Node => ({ ...theirs, content });
    return withContent(theirs, mergeBlock(withText(base), theirs, withText(mine)).content ?? []);
  }

  #mergeChildren(theirs: Node, mine: Node): Node {
    const base = this.#states.flatMap(({ block }) => nodeWith(block, idOf(mine)) ?? [])[0];
    if (!base || formOf(base) !== "blocks") return theirs;
    const [old, wanted, now] = [base, theirs, mine].map(({ content = [] }) => content) as [Nodes, Nodes, Nodes];
    if (![old, wanted, now].every(haveIds)) return theirs;
    const mergeBlock = (_: unknown, theirChild: Node, myChild: Node) => this.merge(theirChild, myChild);
    const { blocks, lost } = merge3(old, wanted, now, { mergeBlock });
    if (lost.length > 0) throw new CannotMerge();
    return withContent(theirs, blocks);
  }
}

type Nodes = readonly Node[];

/**
 * Whether two changes of a text affect the same words. Two insertions at the same offset do not conflict: both stay.
 */
function isConflict(a: Hunk, b: Hunk): boolean {
  const [aEnd, bEnd] = [a.before + a.removed, b.before + b.removed];
  if (a.removed === 0 || b.removed === 0) return a.before < bEnd && b.before < aEnd;
  if (a.added === 0 && b.added === 0) return false;
  return Math.max(a.before, b.before) < Math.min(aEnd, bEnd);
}

const haveIds = (blocks: readonly Node[]): boolean =>
  blocks.every((block) => idOf(block) !== "") && new Set(blocks.map(idOf)).size === blocks.length;

/** Whether every recently typed word is still there. */
function hasAllWords(
  before: readonly Node[],
  after: readonly Node[],
  earlier: ReadonlyMap<string, readonly EarlierBlock[]>,
): boolean {
  const old = new Set(before);
  const changed = new Map<string, Node>();
  for (const block of after) if (!old.has(block)) eachLeaf(block, (leaf) => void changed.set(idOf(leaf), leaf));
  const kept = new Set(after);
  return before.every((block) => {
    const states = earlier.get(idOf(block));
    return !states || kept.has(block) || new TypedWords(states, block).areIn(changed);
  });
}
