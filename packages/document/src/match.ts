import { defined } from "./defined.ts";
import { longestIncreasing } from "./longest-increasing.ts";
import { plainText } from "./read/text.ts";
import type { Node } from "./types.ts";

/** Positions of a block in an older and in a newer list. */
export type Pair = readonly [old: number, current: number];

/** Equal for blocks whose content is the same. */
type KeyOf = (block: Node) => string;

/** How blocks of the two lists are recognised as the same. */
export interface KeysOf {
  readonly old: KeyOf;
  readonly current: KeyOf;
  /** True only where the keys are equal: cheaper to compare than the keys are to make. */
  readonly isSame?: (old: Node, current: Node) => boolean;
}

interface Lists {
  readonly old: readonly Node[];
  readonly current: readonly Node[];
}

/**
 * Which block of the newer list is which of the older one. `known` pairs stand; then blocks of equal content belong
 * together wherever they stand, then those between them that share most of their words, in order. With `rewritten`,
 * where as many are left on both sides, also those of the same type at the same place.
 */
export function matchBlocks(
  old: readonly Node[],
  current: readonly Node[],
  known: readonly Pair[],
  keysOf: KeysOf,
  rewritten = false,
): Pair[] {
  const found = new Map(known.map(([place, i]) => [i, place]));
  const taken = new Set(known.map(([place]) => place));
  const add = ([place, i]: Pair): void => {
    found.set(i, place);
    taken.add(place);
  };
  const oldLeft = indexesBeside(old.length, (i) => taken.has(i));
  const currentLeft = indexesBeside(current.length, (i) => found.has(i));
  const left = { old: oldLeft.map((i) => old[i]!), current: currentLeft.map((i) => current[i]!) };
  for (const [a, b] of pairEqual(left, keysOf)) add([oldLeft[a]!, currentLeft[b]!]);
  const work: Work = { budget: MAX_COMPARISONS, words: new Map() };
  for (const step of rewritten ? [alignSimilar, pairLeftOver] : [alignSimilar])
    for (const gap of gapsOf(found, old.length, current.length, taken))
      for (const pair of step({ old, current }, gap, work)) add(pair);
  return [...found].map(([i, place]) => [place, i] as const).sort((a, b) => a[1] - b[1]);
}

function indexesBeside(length: number, isOut: (index: number) => boolean): number[] {
  const indexes: number[] = [];
  for (let i = 0; i < length; i++) if (!isOut(i)) indexes.push(i);
  return indexes;
}

/** Pairs of equal blocks: those at both ends first, then the n-th of a kind with the n-th, wherever it stands now. */
function pairEqual({ old, current }: Lists, keysOf: KeysOf): Pair[] {
  const pairs: Pair[] = [];
  const isSame = (place: number, i: number): boolean => sameBlocks(old[place]!, current[i]!, keysOf);
  const most = Math.min(old.length, current.length);
  let start = 0;
  for (; start < most && isSame(start, start); start++) pairs.push([start, start]);
  let tail = 0;
  for (; tail < most - start && isSame(old.length - 1 - tail, current.length - 1 - tail); tail++)
    pairs.push([old.length - 1 - tail, current.length - 1 - tail]);
  const places = new Map<string, number[]>();
  for (let i = old.length - tail - 1; i >= start; i--) {
    const key = keysOf.old(old[i]!);
    const list = places.get(key);
    if (list) list.push(i);
    else places.set(key, [i]);
  }
  for (let i = start; i < current.length - tail && places.size > 0; i++) {
    const place = places.get(keysOf.current(current[i]!))?.pop();
    if (place !== undefined) pairs.push([place, i]);
  }
  return pairs;
}

/** Whether the content of two blocks is the same. */
export const sameBlocks = (old: Node, current: Node, keysOf: KeysOf): boolean =>
  keysOf.isSame?.(old, current) || keysOf.old(old) === keysOf.current(current);

/** Positions on both sides that have no partner yet, between two pairs that keep their order. */
interface Gap {
  readonly old: readonly number[];
  readonly current: readonly number[];
}

function* gapsOf(
  found: ReadonlyMap<number, number>,
  oldLength: number,
  currentLength: number,
  taken: ReadonlySet<number>,
): Generator<Gap> {
  const pairs = [...found].map(([i, place]): Pair => [place, i]).sort((a, b) => a[1] - b[1]);
  const inOrder = longestIncreasing(pairs.map(([place]) => place)).map((index) => pairs[index]!);
  let [place, i] = [0, 0];
  for (const [nextPlace, next] of [...inOrder, [oldLength, currentLength] as const]) {
    const old = indexesBetween(place, nextPlace, (index) => taken.has(index));
    const current = indexesBetween(i, next, (index) => found.has(index));
    if (old.length > 0 && current.length > 0) yield { old, current };
    [place, i] = [nextPlace + 1, next + 1];
  }
}

function indexesBetween(from: number, to: number, isOut: (index: number) => boolean): number[] {
  const indexes: number[] = [];
  for (let i = from; i < to; i++) if (!isOut(i)) indexes.push(i);
  return indexes;
}

/** Pairs of blocks whose words may be compared in one match; beyond it only positions are compared. */
const MAX_COMPARISONS = 100_000;
/** Words of a block that are looked at. */
const MAX_WORDS = 200;
/** Shared words, of all words of both. */
const ALIKE = 0.5;

interface Work {
  budget: number;
  readonly words: Map<Node, ReadonlyMap<string, number>>;
}

const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{M}\p{N}]+/gu;

function wordsOf(node: Node, work: Work): ReadonlyMap<string, number> {
  const cached = work.words.get(node);
  if (cached) return cached;
  const words = new Map<string, number>();
  let count = 0;
  for (const [word] of plainText(node).matchAll(WORD)) {
    if (++count > MAX_WORDS) break;
    words.set(word, (words.get(word) ?? 0) + 1);
  }
  work.words.set(node, words);
  return words;
}

const sizeOf = (words: ReadonlyMap<string, number>): number => words.values().reduce((sum, count) => sum + count, 0);

function similarity(a: Node, b: Node, work: Work): number {
  if (a.type !== b.type) return 0;
  const [words, others] = [wordsOf(a, work), wordsOf(b, work)];
  const all = sizeOf(words) + sizeOf(others);
  if (all === 0) return 0;
  let common = 0;
  for (const [word, count] of words) common += Math.min(count, others.get(word) ?? 0);
  return (2 * common) / all;
}

/** The pairs of a gap that together share the most, in order. */
function alignSimilar({ old, current }: Lists, gap: Gap, work: Work): Pair[] {
  const [height, width] = [gap.old.length, gap.current.length];
  if (height * width > work.budget) return [];
  work.budget -= height * width;
  const best = Array.from({ length: height + 1 }, () => new Float64Array(width + 1));
  const scores = gap.old.map((place) => gap.current.map((i) => similarity(old[place]!, current[i]!, work)));
  for (let a = height - 1; a >= 0; a--)
    for (let b = width - 1; b >= 0; b--) {
      const score = defined(scores[a])[b]!;
      const paired = score >= ALIKE ? score + defined(best[a + 1])[b + 1]! : 0;
      defined(best[a])[b] = Math.max(defined(best[a + 1])[b]!, defined(best[a])[b + 1]!, paired);
    }
  const pairs: Pair[] = [];
  for (let a = 0, b = 0; a < height && b < width; ) {
    if (defined(best[a])[b] === defined(best[a + 1])[b]) a++;
    else if (defined(best[a])[b] === defined(best[a])[b + 1]) b++;
    else pairs.push([gap.old[a++]!, gap.current[b++]!]);
  }
  return pairs;
}

/** As many blocks here as there: each of the same type at the same place was written again. */
function pairLeftOver({ old, current }: Lists, gap: Gap): Pair[] {
  if (gap.old.length !== gap.current.length) return [];
  return gap.old
    .map((place, n): Pair => [place, gap.current[n]!])
    .filter(([place, i]) => defined(old[place]).type === defined(current[i]).type);
}
