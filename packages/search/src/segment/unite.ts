import { appendEntry, PostingList } from "./posting-list.ts";
import type { Entry } from "./segment-reader.ts";
import { countOf } from "./term-postings.ts";

/** The union of many terms; a block's frequencies add up. Includes dead blocks. */
export function uniteTerms(terms: Iterable<readonly Entry[]>): PostingList {
  const entries = [...terms].flat();
  const all = new PostingList(countOf(entries));
  for (const entry of entries) appendEntry(all, entry);
  const range = numberRange(all);
  return all.size > range.width / 16 ? sumDensely(all, range) : sumSparsely(all);
}

type NumberRange = { lowest: number; width: number };

function numberRange(list: PostingList): NumberRange {
  let lowest = 0xffffffff;
  let highest = 0;
  for (let i = 0; i < list.size; i++) {
    const number = list.numbers[i]!;
    if (number < lowest) lowest = number;
    if (number > highest) highest = number;
  }
  return { lowest, width: list.size === 0 ? 0 : highest - lowest + 1 };
}

function sumDensely(all: PostingList, { lowest, width }: NumberRange): PostingList {
  const codes = new Uint32Array(width);
  const frequencies = new Uint32Array(width);
  for (let i = 0; i < all.size; i++) {
    const at = all.numbers[i]! - lowest;
    codes[at] = all.codes[i]!;
    frequencies[at]! += all.frequencies[i]!;
  }
  const sum = new PostingList(Math.min(all.size, width));
  for (let at = 0; at < width; at++) if (frequencies[at]! > 0) sum.push(lowest + at, codes[at]!, frequencies[at]!);
  return sum;
}

/** Index bits of a sort key; a sparse list is shorter than a sixteenth of all block numbers. */
const INDEX_SCALE = 2 ** 21;

function sumSparsely(all: PostingList): PostingList {
  if (all.size >= INDEX_SCALE) return sumDensely(all, numberRange(all));
  const keys = new Float64Array(all.size);
  for (let i = 0; i < all.size; i++) keys[i] = all.numbers[i]! * INDEX_SCALE + i;
  keys.sort();
  const sum = new PostingList(all.size);
  for (const key of keys) {
    const i = key % INDEX_SCALE;
    const last = sum.size - 1;
    if (last >= 0 && sum.numbers[last] === all.numbers[i]) sum.frequencies[last]! += all.frequencies[i]!;
    else sum.push(all.numbers[i]!, all.codes[i]!, all.frequencies[i]!);
  }
  return sum;
}
