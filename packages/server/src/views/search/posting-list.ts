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

/** Decodes an entry to the end of `list`. */
export function appendEntry(list: PostingList, entry: Entry): void {
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

/** The list itself if none of its blocks is in `dead` (ascending), else a copy without those. */
export function withoutDead(list: PostingList, dead: Uint32Array): PostingList {
  const places = placesOf(list, dead);
  if (places.length === 0) return list;
  const { numbers, codes, frequencies, size } = list;
  const alive = new PostingList(size - places.length);
  let next = 0;
  for (let i = 0; i < size; i++) {
    if (i === places[next]) next++;
    else alive.push(numbers[i]!, codes[i]!, frequencies[i]!);
  }
  return alive;
}

/** Where in the list the dead are. */
function placesOf({ numbers, size }: PostingList, dead: Uint32Array): number[] {
  const places: number[] = [];
  if (size === 0 || dead.length === 0) return places;
  let at = 0;
  for (let d = lowerBound(dead, numbers[0]!); d < dead.length; d++) {
    at = advance(numbers, size, at, dead[d]!);
    if (at === size) break;
    if (numbers[at] === dead[d]) places.push(at);
    else d = advance(dead, dead.length, d, numbers[at]!) - 1;
  }
  return places;
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
