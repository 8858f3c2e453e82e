import { lowerBound } from "./packed-numbers.ts";
import type { Entry } from "./segment-reader.ts";

/** Blocks that hold something, ascending by number, with their length code and how often they hold it. */
export class PostingList {
  readonly numbers: Uint32Array;
  readonly codes: Uint32Array;
  readonly frequencies: Uint32Array;
  size = 0;

  constructor(capacity: number) {
    this.numbers = new Uint32Array(capacity);
    this.codes = new Uint32Array(capacity);
    this.frequencies = new Uint32Array(capacity);
  }

  push(number: number, code: number, frequency: number): void {
    this.numbers[this.size] = number;
    this.codes[this.size] = code;
    this.frequencies[this.size++] = frequency;
  }
}

export const noneDead: Uint32Array = new Uint32Array(0);

/** Decodes an entry to the end of `list`, without the numbers in `dead` (ascending). */
export function appendEntry(list: PostingList, entry: Entry, dead: Uint32Array): void {
  const from = list.size;
  decode(list, entry);
  if (dead.length === 0) return;
  const deadFrom = lowerBound(dead, entry.first);
  if (deadFrom < dead.length && dead[deadFrom]! <= entry.last) dropDead(list, from, dead, deadFrom);
}

function decode(list: PostingList, entry: Entry): void {
  const { numbers, codes, frequencies } = list;
  const { page, count } = entry;
  let at = entry.postingsAt;
  let number = entry.first;
  let size = list.size;
  for (let i = 0; i < count; i++) {
    if (i > 0) {
      let byte = page[at++]!;
      let value = byte & 0x7f;
      for (let shift = 7; byte >= 0x80; shift += 7) {
        byte = page[at++]!;
        value |= (byte & 0x7f) << shift;
      }
      number += value >>> 0;
    }
    let byte = page[at++]!;
    let code = byte & 0x7f;
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = page[at++]!;
      code |= (byte & 0x7f) << shift;
    }
    byte = page[at++]!;
    let frequency = byte & 0x7f;
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = page[at++]!;
      frequency |= (byte & 0x7f) << shift;
    }
    numbers[size] = number;
    codes[size] = code;
    frequencies[size++] = frequency;
  }
  list.size = size;
}

function dropDead(list: PostingList, from: number, dead: Uint32Array, deadFrom: number): void {
  const { numbers, codes, frequencies } = list;
  let kept = from;
  let d = deadFrom;
  for (let i = from; i < list.size; i++) {
    const number = numbers[i]!;
    while (d < dead.length && dead[d]! < number) d++;
    if (dead[d] === number) continue;
    numbers[kept] = number;
    codes[kept] = codes[i]!;
    frequencies[kept++] = frequencies[i]!;
  }
  list.size = kept;
}

/** Steps taken one by one before an index is looked for in growing steps: common words lie close together. */
const nearSteps = 6;

/** First index at or after `from` whose number is at least `number`. */
export function advance(numbers: Uint32Array, size: number, from: number, number: number): number {
  const near = Math.min(size, from + nearSteps);
  let low = from;
  while (low < near && numbers[low]! < number) low++;
  if (low < near || low === size) return low;
  let step = 1;
  while (low + step < size && numbers[low + step]! < number) {
    low += step;
    step *= 2;
  }
  return lowerBound(numbers, number, low, Math.min(size, low + step + 1));
}
