import { advance, type PostingList } from "./posting-list.ts";

/** The intersection of lists: `at[i]` are the positions in list `i`, `size` of them. */
type Common = { readonly size: number; readonly at: readonly Uint32Array[] };

/**
 * If two lists differ in length by a larger factor, the longer one is searched in growing steps, otherwise one by one.
 */
const UNEQUAL = 12;

/** For two lists or more. Starts with the shortest list; each of the others leaves fewer candidates. */
export function intersect(lists: readonly PostingList[]): Common {
  const order = [...lists.keys()].sort((a, b) => lists[a]!.size - lists[b]!.size);
  const [lead, ...others] = order.map((i) => lists[i]!);
  let { size, numbers: candidates }: { size: number; numbers: Uint32Array } = lead!;
  let found: Uint32Array[] = [];
  for (const [i, other] of others.entries()) {
    // One more than can be found: `step` writes before it compares.
    const kept = new Uint32Array(size + 1);
    const at = new Uint32Array(size + 1);
    const narrow = other.size > size * UNEQUAL ? leap : step;
    size = narrow(candidates, size, other, kept, at);
    found = i === 0 ? [kept, at] : [...found.map((column) => picked(column, kept, size)), at];
    if (i < others.length - 1) candidates = picked(candidates, kept, size);
  }
  return { size, at: lists.map((_, i) => found[order.indexOf(i)]!) };
}

function picked(column: Uint32Array, kept: Uint32Array, size: number): Uint32Array {
  const out = new Uint32Array(size);
  for (let i = 0; i < size; i++) out[i] = column[kept[i]!]!;
  return out;
}

/** Records which candidates are in the list (`kept`) and at which positions (`at`); returns how many. */
type Narrow = (candidates: Uint32Array, size: number, list: PostingList, kept: Uint32Array, at: Uint32Array) => number;

/** Without branches, which would be unpredictable: the lower one advances, or both when they are equal. */
const step: Narrow = (candidates, size, { numbers, size: length }, kept, at) => {
  let count = 0;
  let i = 0;
  let j = 0;
  while (i < size && j < length) {
    const difference = (candidates[i]! - numbers[j]!) | 0;
    kept[count] = i;
    at[count] = j;
    const isHigher = -difference >>> 31;
    const isLower = difference >>> 31;
    count += 1 - isHigher - isLower;
    i += 1 - isHigher;
    j += 1 - isLower;
  }
  return count;
};

const leap: Narrow = (candidates, size, { numbers, size: length }, kept, at) => {
  let count = 0;
  let j = 0;
  for (let i = 0; i < size; i++) {
    const number = candidates[i]!;
    j = advance(numbers, length, j, number);
    if (j === length) break;
    if (numbers[j] !== number) continue;
    kept[count] = i;
    at[count++] = j;
  }
  return count;
};
