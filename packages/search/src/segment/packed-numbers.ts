import { ByteReader, ByteSink } from "./bytes.ts";

/** Ascending numbers without repetition, as differences. */
export function packNumbers(numbers: Iterable<number>): Uint8Array {
  const sink = new ByteSink();
  let previous = 0;
  for (const number of numbers) {
    sink.varint(number - previous);
    previous = number;
  }
  return sink.take();
}

export function unpackNumbers(packed: Uint8Array): Uint32Array {
  const reader = new ByteReader(packed);
  const numbers: number[] = [];
  let previous = 0;
  while (!reader.done) {
    previous += reader.varint();
    numbers.push(previous);
  }
  return Uint32Array.from(numbers);
}

/** Sorted union of ascending lists. */
export function uniteNumbers(lists: readonly ArrayLike<number>[]): Uint32Array {
  const filled = lists.filter((list) => list.length > 0);
  const all = new Uint32Array(filled.reduce((sum, list) => sum + list.length, 0));
  let length = 0;
  for (const list of filled) {
    all.set(list, length);
    length += list.length;
  }
  if (filled.length <= 1) return all;
  all.sort();
  let kept = 0;
  for (let i = 0; i < all.length; i++) if (i === 0 || all[i] !== all[i - 1]) all[kept++] = all[i]!;
  return all.subarray(0, kept);
}

/** First index whose number is at least `number`. */
export function lowerBound(numbers: ArrayLike<number>, number: number, from = 0, to = numbers.length): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function includesNumber(numbers: Uint32Array, number: number): boolean {
  return numbers[lowerBound(numbers, number)] === number;
}
