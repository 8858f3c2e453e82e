import { canonicalJson } from "./canonical.ts";
import { defined } from "./defined.ts";
import type { BlockChange } from "./diff.ts";
import { longestIncreasing } from "./longest-increasing.ts";
import { matchBlocks, type Pair } from "./match.ts";
import { excerpt, plainText } from "./read/text.ts";
import { isAlike } from "./schema/keep-stored.ts";
import { idOf } from "./schema/node.ts";
import type { Node } from "./types.ts";
import { type Run, wordDiff } from "./word-diff.ts";

/** A block's change between two bodies, for people to read. */
export interface BlockComparison extends BlockChange {
  /** The id it had before, where the block was recognised by its content and not by its id. */
  readonly old_block_id: string | null;
  /** The word-level difference with some context; for modified blocks only. */
  readonly words: readonly WordRun[] | null;
}

interface WordRun {
  /** `omitted` stands for unchanged text far from every change. */
  readonly kind: Run["kind"] | "omitted";
  readonly text: string;
}

/**
 * The difference of two lists of top-level blocks. A block is known by its id, or else by its content, so that a body
 * whose ids were all given again differs only by what its text says. A block that only has another id is not mentioned.
 * First the removed by old position, then the others by new position.
 */
export function compareBlocks(old: readonly Node[], current: readonly Node[]): BlockComparison[] {
  const places = new Map(old.map((node, place) => [idOf(node), place]));
  const known = current.flatMap((node, i): Pair[] => {
    const place = places.get(idOf(node));
    return place === undefined ? [] : [[place, i]];
  });
  const pairs = matchBlocks(old, current, known, { old: contentOf, current: contentOf });
  const same = pairs.filter(([place, i]) => isAlike(withoutIds(old[place]!), withoutIds(current[i]!)));
  const steady = new Set(longestIncreasing(same.map(([place]) => place)).map((index) => defined(same[index])[1]));
  const unchanged = new Set(same.map(([, i]) => i));
  const partner = new Map(pairs.map(([place, i]) => [i, place]));
  const kept = new Set(pairs.map(([place]) => place));
  const removed = old.flatMap((node, place) => (kept.has(place) ? [] : [removal(node, place)]));
  const others = current.flatMap((node, i) => {
    const place = partner.get(i);
    if (place === undefined) return [addition(node, i)];
    if (steady.has(i)) return [];
    return [unchanged.has(i) ? move(old[place]!, place, node, i) : modification(old[place]!, place, node, i)];
  });
  return [...removed, ...others];
}

const removal = (node: Node, place: number): BlockComparison => ({
  ...described(node),
  change_type: "removed",
  old_position: place,
  new_position: null,
  old_block_id: null,
  words: null,
});

const addition = (node: Node, i: number): BlockComparison => ({
  ...described(node),
  change_type: "added",
  old_position: null,
  new_position: i,
  old_block_id: null,
  words: null,
});

const move = (old: Node, place: number, node: Node, i: number): BlockComparison => ({
  ...described(node),
  change_type: "moved",
  old_position: place,
  new_position: i,
  old_block_id: oldIdOf(old, node),
  words: null,
});

const modification = (old: Node, place: number, node: Node, i: number): BlockComparison => ({
  ...described(node),
  change_type: "modified",
  old_position: place,
  new_position: i,
  old_block_id: oldIdOf(old, node),
  words: nearChanges(wordDiff(plainText(old), plainText(node))),
});

const described = (node: Node) => ({ block_id: idOf(node), excerpt: excerpt(plainText(node)) });
const oldIdOf = (old: Node, node: Node): string | null => (idOf(old) === idOf(node) ? null : idOf(old));

const contentOf = (node: Node): string => canonicalJson(withoutIds(node));

function withoutIds(node: Node): Node {
  const content = node.content?.map(withoutIds);
  if (node.attrs?.id === undefined) return content ? { ...node, content } : node;
  const { id: _id, ...attrs } = node.attrs;
  return { ...node, attrs, ...(content && { content }) };
}

/** Characters of unchanged text that are shown beside a change: two or three lines. */
const AROUND = 160;

/** The runs with long unchanged stretches cut down to what stands beside a change. */
export function nearChanges(runs: readonly Run[]): WordRun[] {
  return runs.flatMap((run, i): WordRun[] => {
    if (run.kind !== "same") return [run];
    const head = i === 0 ? "" : firstOf(run.text);
    const tail = i === runs.length - 1 ? "" : lastOf(run.text);
    if (head.length + tail.length >= run.text.length) return [run];
    const shown = (text: string): WordRun[] => (text === "" ? [] : [{ kind: "same", text }]);
    return [...shown(head), { kind: "omitted", text: "…" }, ...shown(tail)];
  });
}

/** Cut between words where there are any, never within a character. */
const firstOf = (text: string): string =>
  text.length <= AROUND ? text : text.slice(0, AROUND).replace(/\S{0,40}$/u, "");
const lastOf = (text: string): string => (text.length <= AROUND ? text : text.slice(-AROUND).replace(/^\S{0,40}/u, ""));
