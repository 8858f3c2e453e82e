import { defined } from "@svc/document/defined";
import { writeVarint } from "./bytes.ts";

/** The maximum of bytes per packed number. */
const MAX_BYTES = 8;

/** Packs ascending numbers without repetition as differences. */
export function packNumbers(numbers: ArrayLike<number>): Uint8Array {
  const bytes = new Uint8Array(numbers.length * MAX_BYTES);
  let at = 0;
  let previous = 0;
  for (let i = 0; i < numbers.length; i++) {
    const number = defined(numbers[i]);
    at = writeVarint(bytes, at, number - previous);
    previous = number;
  }
  return bytes.slice(0, at);
}

export function unpackNumbers(packed: Uint8Array): Uint32Array {
  // Each number takes at least one byte.
  const numbers = new Uint32Array(packed.length);
  let length = 0;
  let previous = 0;
  for (let at = 0; at < packed.length; ) {
    let byte = defined(packed[at++]);
    let difference = byte & 0x7f;
    for (let scale = 128; byte >= 0x80; scale *= 128) {
      byte = packed[at++] ?? 0;
      difference += (byte & 0x7f) * scale;
    }
    previous += difference;
    numbers[length++] = previous;
  }
  return numbers.slice(0, length);
}

/** Sorted union of ascending lists. */
export function uniteNumbers(lists: readonly ArrayLike<number>[]): Uint32Array {
  const filled = lists.filter((list) => list.length > 0);
  const [first, second] = filled;
  if (first && second && filled.length === 2) return uniteTwo(first, second);
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

/** Unites a short and a very long list: going through both takes less time than sorting. */
function uniteTwo(a: ArrayLike<number>, b: ArrayLike<number>): Uint32Array {
  const all = new Uint32Array(a.length + b.length);
  let [i, j, length] = [0, 0, 0];
  while (i < a.length && j < b.length) {
    const x = defined(a[i]);
    const y = defined(b[j]);
    all[length++] = Math.min(x, y);
    if (x <= y) i++;
    if (y <= x) j++;
  }
  while (i < a.length) all[length++] = defined(a[i++]);
  while (j < b.length) all[length++] = defined(b[j++]);
  return all.subarray(0, length);
}

/** The numbers of an ascending list that another one does not contain. */
export function withoutNumbers(numbers: Uint32Array, others: Uint32Array): Uint32Array {
  let at = 0;
  return numbers.filter((number) => {
    while (at < others.length && defined(others[at]) < number) at++;
    return others[at] !== number;
  });
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
