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

/** Surrogates stand for code points above every other unit. */
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

/** The first three units as one number in the same order: comparing numbers is several times faster. */
const headOf = (term: string): number =>
  (unitRank(term, 0) * 2 ** 17 + unitRank(term, 1)) * 2 ** 17 + unitRank(term, 2);
const unitRank = (term: string, at: number): number => (at < term.length ? rank(term.charCodeAt(at)) : 0);

/** The places of the terms in ascending order of the terms. */
export function termOrder(terms: readonly string[]): number[] {
  const heads = Float64Array.from(terms, headOf);
  return terms.map((_, i) => i).sort((a, b) => heads[a]! - heads[b]! || compareTerms(terms[a]!, terms[b]!));
}

/** `a[0, aLength)` against `b[0, bLength)`, byte by byte. */
export function compareBytes(a: Uint8Array, aLength: number, b: Uint8Array, bLength: number): number {
  const common = Math.min(aLength, bLength);
  for (let i = 0; i < common; i++) {
    const difference = a[i]! - b[i]!;
    if (difference !== 0) return difference;
  }
  return aLength - bLength;
}

export function beginsWith(bytes: Uint8Array, length: number, prefix: Uint8Array): boolean {
  if (length < prefix.length) return false;
  for (let i = 0; i < prefix.length; i++) if (bytes[i] !== prefix[i]) return false;
  return true;
}
