import { defined } from "@svc/document/defined";
/** A run of lines that differ: `old` from `oldStart` up to `oldEnd` stands where `new` from `newStart` up to `newEnd` does. */
export interface Difference {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

type Pair = readonly [old: number, new: number];

interface Range {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** Above this many cells a run without a line in common that is unique is taken as replaced. */
const MAX_CELLS = 4_000_000;

/** Lines of a text, without their ends. A last line without an end counts like the others. */
export const linesOf = (text: string): string[] => (text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/));

/**
 * Which lines are in both texts, in order. Lines that occur once in each lead (block anchors do), so that an edit is
 * shown as a person would describe it; between them, the longest common subsequence.
 */
export function commonLines(old: readonly string[], current: readonly string[]): Pair[] {
  const pairs: Pair[] = [];
  const todo: Range[] = [{ oldStart: 0, oldEnd: old.length, newStart: 0, newEnd: current.length }];
  for (let range = todo.pop(); range; range = todo.pop()) {
    const inner = withoutEqualEnds(old, current, range, pairs);
    if (inner.oldStart === inner.oldEnd || inner.newStart === inner.newEnd) continue;
    const fixed = uniquePairs(old, current, inner);
    if (fixed.length > 0) todo.push(...between(inner, fixed));
    else pairs.push(...longestCommon(old, current, inner));
    pairs.push(...fixed);
  }
  return pairs.sort((a, b) => a[0] - b[0]);
}

export function diffLines(old: readonly string[], current: readonly string[]): Difference[] {
  const differences: Difference[] = [];
  let [oldAt, newAt] = [0, 0];
  for (const [i, j] of [...commonLines(old, current), [old.length, current.length] as const]) {
    if (i > oldAt || j > newAt) differences.push({ oldStart: oldAt, oldEnd: i, newStart: newAt, newEnd: j });
    [oldAt, newAt] = [i + 1, j + 1];
  }
  return differences;
}

function withoutEqualEnds(old: readonly string[], current: readonly string[], range: Range, pairs: Pair[]): Range {
  let { oldStart, oldEnd, newStart, newEnd } = range;
  while (oldStart < oldEnd && newStart < newEnd && old[oldStart] === current[newStart])
    pairs.push([oldStart++, newStart++]);
  while (oldStart < oldEnd && newStart < newEnd && old[oldEnd - 1] === current[newEnd - 1])
    pairs.push([--oldEnd, --newEnd]);
  return { oldStart, oldEnd, newStart, newEnd };
}

function placesOnce(lines: readonly string[], start: number, end: number): Map<string, number> {
  const places = new Map<string, number>();
  for (let i = start; i < end; i++) places.set(defined(lines[i]), places.has(defined(lines[i])) ? -1 : i);
  return places;
}

/** Lines that stand once on either side, as many of them as keep their order. */
function uniquePairs(old: readonly string[], current: readonly string[], range: Range): Pair[] {
  const places = placesOnce(current, range.newStart, range.newEnd);
  const pairs: Pair[] = [];
  for (const [line, i] of placesOnce(old, range.oldStart, range.oldEnd)) {
    const j = places.get(line) ?? -1;
    if (i >= 0 && j >= 0) pairs.push([i, j]);
  }
  return longestRising(pairs.sort((a, b) => a[0] - b[0]));
}

/** Returns the longest subsequence of pairs, sorted by the first value, whose second value rises too. */
function longestRising(pairs: readonly Pair[]): Pair[] {
  const ends: number[] = [];
  const before: number[] = [];
  pairs.forEach(([, value], index) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (defined(pairs[defined(ends[middle])])[1] < value) low = middle + 1;
      else high = middle;
    }
    before[index] = low > 0 ? defined(ends[low - 1]) : -1;
    ends[low] = index;
  });
  const rising: Pair[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = defined(before[at])) rising.push(defined(pairs[at]));
  return rising.reverse();
}

function between(range: Range, pairs: readonly Pair[]): Range[] {
  let { oldStart, newStart } = range;
  return [...pairs, [range.oldEnd, range.newEnd] as const].map(([i, j]) => {
    const part = { oldStart, oldEnd: i, newStart, newEnd: j };
    [oldStart, newStart] = [i + 1, j + 1];
    return part;
  });
}

function longestCommon(old: readonly string[], current: readonly string[], range: Range): Pair[] {
  const [rows, columns] = [range.oldEnd - range.oldStart, range.newEnd - range.newStart];
  if (rows * columns > MAX_CELLS) return [];
  const same = (i: number, j: number) => old[range.oldStart + i] === current[range.newStart + j];
  const width = columns + 1;
  const lengths = new Uint32Array((rows + 1) * width);
  for (let i = rows - 1; i >= 0; i--)
    for (let j = columns - 1; j >= 0; j--)
      lengths[i * width + j] = same(i, j)
        ? defined(lengths[(i + 1) * width + j + 1]) + 1
        : Math.max(defined(lengths[(i + 1) * width + j]), defined(lengths[i * width + j + 1]));
  const pairs: Pair[] = [];
  for (let i = 0, j = 0; i < rows && j < columns; )
    if (same(i, j)) pairs.push([range.oldStart + i++, range.newStart + j++]);
    else if (defined(lengths[(i + 1) * width + j]) >= defined(lengths[i * width + j + 1])) i++;
    else j++;
  return pairs;
}
