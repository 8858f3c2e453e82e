import { advance, type PostingList } from "./posting-list.ts";

/** What lists have in common: `at[i]` are the places in list `i`, `size` of them. */
type Common = { readonly size: number; readonly at: readonly Uint32Array[] };

/** Lists that differ in length by more are looked through in growing steps, others one by one. */
const UNEQUAL = 12;

/** Of two lists or more. From the shortest list on, each of the others leaves fewer candidates. */
export function intersect(lists: readonly PostingList[]): Common {
  const order = [...lists.keys()].sort((a, b) => lists[a]!.size - lists[b]!.size);
  const [lead, ...others] = order.map((i) => lists[i]!);
  let { size, numbers: candidates }: { size: number; numbers: Uint32Array } = lead!;
  let found: Uint32Array[] = [];
  for (const [i, other] of others.entries()) {
    // One more than can be found: `step` writes before it knows.
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

/** Notes which candidates the list has (`kept`) and where (`at`); returns how many. */
type Narrow = (candidates: Uint32Array, size: number, list: PostingList, kept: Uint32Array, at: Uint32Array) => number;

/** Without branches, which nobody could predict: the lower one steps on, both when they are equal. */
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
