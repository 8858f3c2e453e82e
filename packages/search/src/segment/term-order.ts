/** Order of code points, which is the order of UTF-8 bytes; JavaScript's own puts astral characters before U+E000. */
export function compareTerms(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

/** Surrogates encode code points above every other unit. */
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

/** Terms by number: the start of each term's bytes, which end at the next start, and the first of them as a number. */
type TermBytes = { readonly bytes: Uint8Array; readonly starts: Uint32Array; readonly heads: Float64Array };

/** The bits of an integer that a number represents exactly. */
const EXACT_BITS = 53;

/**
 * The numbers from 0 to `count` in ascending order of their terms. Sorts one number per term, with the beginning of the
 * term in its high bits: many times faster than comparing terms, which is needed only for equal beginnings.
 */
export function sortTerms(terms: TermBytes, count: number): Uint32Array {
  const numberBits = 32 - Math.clz32(count);
  const numbers = 2 ** numberBits;
  const cut = 2 ** Math.max(0, HEAD_BYTES * 8 + numberBits - EXACT_BITS);
  const keys = new Float64Array(count);
  for (let i = 0; i < count; i++) keys[i] = Math.floor(terms.heads[i]! / cut) * numbers + i;
  keys.sort();
  const sorted = new Uint32Array(count);
  let from = 0;
  let previous = -1;
  for (let i = 0; i < keys.length; i++) {
    const head = Math.floor(keys[i]! / numbers);
    sorted[i] = keys[i]! - head * numbers;
    if (head === previous) continue;
    if (i - from > 1) sortPart(terms, sorted.subarray(from, i));
    from = i;
    previous = head;
  }
  if (keys.length - from > 1) sortPart(terms, sorted.subarray(from));
  return sorted;
}

function sortPart({ bytes, starts }: TermBytes, numbers: Uint32Array): void {
  numbers.sort((a, b) => compareBytes(bytes, starts[a]!, starts[a + 1]!, bytes, starts[b]!, starts[b + 1]!));
}

/** The first six bytes of `bytes[start, end)` as one number in the same order. No term has a zero byte. */
export function headOfBytes(bytes: Uint8Array, start: number, end: number): number {
  let head = 0;
  for (let i = start; i < start + HEAD_BYTES; i++) head = head * 256 + (i < end ? bytes[i]! : 0);
  return head;
}
export const HEAD_BYTES = 6;

/** Compares `a[aStart, aEnd)` with `b[bStart, bEnd)`, byte by byte. */
export function compareBytes(
  a: Uint8Array,
  aStart: number,
  aEnd: number,
  b: Uint8Array,
  bStart: number,
  bEnd: number,
): number {
  const common = Math.min(aEnd - aStart, bEnd - bStart);
  for (let i = 0; i < common; i++) {
    const difference = a[aStart + i]! - b[bStart + i]!;
    if (difference !== 0) return difference;
  }
  return aEnd - aStart - (bEnd - bStart);
}

export function beginsWith(bytes: Uint8Array, length: number, prefix: Uint8Array): boolean {
  if (length < prefix.length) return false;
  for (let i = 0; i < prefix.length; i++) if (bytes[i] !== prefix[i]) return false;
  return true;
}
