import { DeadBits } from "./dead-bits.ts";
import { lowerBound } from "./packed-numbers.ts";
import type { Entry } from "./segment-reader.ts";

/**
 * V8 stores columns of up to this size within its heap objects. Larger ones are allocated separately, and one
 * allocation is faster than three.
 */
const TINY = 16;

/** The blocks that contain a term, ascending by number, with their length codes and term frequencies. */
export class PostingList {
  readonly numbers: Uint32Array;
  readonly codes: Uint32Array;
  readonly frequencies: Uint32Array;
  size = 0;

  constructor(capacity: number) {
    if (capacity <= TINY) {
      this.numbers = new Uint32Array(capacity);
      this.codes = new Uint32Array(capacity);
      this.frequencies = new Uint32Array(capacity);
      return;
    }
    const bytes = new ArrayBuffer(3 * 4 * capacity);
    this.numbers = new Uint32Array(bytes, 0, capacity);
    this.codes = new Uint32Array(bytes, 4 * capacity, capacity);
    this.frequencies = new Uint32Array(bytes, 8 * capacity, capacity);
  }

  push(number: number, code: number, frequency: number): void {
    this.numbers[this.size] = number;
    this.codes[this.size] = code;
    this.frequencies[this.size++] = frequency;
  }
}

/** Decodes an entry and appends it to `list`. */
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
  if (list.size === 0 || dead.length === 0) return list;
  if (list.size > LONG_LIST && isDense(dead)) return withoutBits(list, bitsOf(dead));
  const indexes = indexesOf(list, dead);
  if (indexes.length === 0) return list;
  const { numbers, codes, frequencies, size } = list;
  const alive = new PostingList(size - indexes.length);
  let next = 0;
  for (let i = 0; i < size; i++) {
    if (i === indexes[next]) next++;
    else alive.push(numbers[i]!, codes[i]!, frequencies[i]!);
  }
  return alive;
}

/** Longer lists are filtered with a bit set of the dead, if that is dense: a common word meets thousands of them. */
const LONG_LIST = 64;
/** The maximum of bits per dead block. */
const SPARSE = 256;

const isDense = (dead: Uint32Array): boolean => dead.at(-1)! - dead[0]! < dead.length * SPARSE;

const bitsOfDead = new WeakMap<Uint32Array, DeadBits>();

function bitsOf(dead: Uint32Array): DeadBits {
  const known = bitsOfDead.get(dead) ?? new DeadBits(dead);
  bitsOfDead.set(dead, known);
  return known;
}

function withoutBits(list: PostingList, dead: DeadBits): PostingList {
  const { numbers, codes, frequencies, size } = list;
  let at = 0;
  while (at < size && dead.has(numbers[at]!) === 0) at++;
  if (at === size) return list;
  const alive = new PostingList(size - 1);
  alive.numbers.set(numbers.subarray(0, at));
  alive.codes.set(codes.subarray(0, at));
  alive.frequencies.set(frequencies.subarray(0, at));
  let to = at;
  for (let i = at + 1; i < size; i++) {
    alive.numbers[to] = numbers[i]!;
    alive.codes[to] = codes[i]!;
    alive.frequencies[to] = frequencies[i]!;
    to += 1 - dead.has(numbers[i]!);
  }
  alive.size = to;
  return alive;
}

/** The indexes of the dead blocks in a short list. */
function indexesOf({ numbers, size }: PostingList, dead: Uint32Array): number[] {
  const indexes: number[] = [];
  let at = 0;
  for (let d = lowerBound(dead, numbers[0]!); d < dead.length; d++) {
    at = advance(numbers, size, at, dead[d]!);
    if (at === size) break;
    if (numbers[at] === dead[d]) indexes.push(at);
    else d = advance(dead, dead.length, d, numbers[at]!) - 1;
  }
  return indexes;
}

/** Steps taken one by one before the search continues in growing steps: common words are close together. */
const NEAR_STEPS = 6;

/** First index at or after `from` whose number is at least `number`. */
export function advance(numbers: Uint32Array, size: number, from: number, number: number): number {
  const near = Math.min(size, from + NEAR_STEPS);
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
