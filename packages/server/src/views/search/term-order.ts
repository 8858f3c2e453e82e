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

/** Up to this many terms are compared as they are. */
const fewTerms = 16;
/** Bits of a term's place in the number that it is sorted by, and of each unit. */
const placeBits = 18;
const unitBits = 7;

/**
 * The first five units as one number in the same order: comparing numbers is several times faster. Units beyond ASCII
 * all look the same, and what follows one is left out.
 */
function shortHead(term: string): number {
  let head = 0;
  let isOver = false;
  for (let i = 0; i < 5; i++) {
    const unit: number = isOver || i >= term.length ? 0 : Math.min(term.charCodeAt(i), 0x7f);
    isOver ||= unit === 0x7f;
    head = head * 2 ** unitBits + unit;
  }
  return head;
}

/** The places of the terms in ascending order of the terms. */
export function termOrder(terms: readonly string[]): number[] {
  if (terms.length > 2 ** placeBits)
    return sorted(
      terms,
      terms.map((_, i) => i),
    );
  const keys = new Float64Array(terms.length);
  for (let i = 0; i < terms.length; i++) keys[i] = shortHead(terms[i]!) * 2 ** placeBits + i;
  keys.sort();
  const order: number[] = [];
  for (let from = 0; from < keys.length; ) {
    const head = Math.floor(keys[from]! / 2 ** placeBits);
    const equal: number[] = [];
    for (; from < keys.length && Math.floor(keys[from]! / 2 ** placeBits) === head; from++)
      equal.push(keys[from]! % 2 ** placeBits);
    for (const place of equal.length === 1 ? equal : sorted(terms, equal)) order.push(place);
  }
  return order;
}

/** The places in ascending order of the terms there. */
function sorted(terms: readonly string[], places: number[]): number[] {
  if (places.length <= fewTerms) return places.sort((a, b) => compareTerms(terms[a]!, terms[b]!));
  const heads = Float64Array.from(places, (place) => headOf(terms[place]!));
  return places
    .map((_, i) => i)
    .sort((a, b) => heads[a]! - heads[b]! || compareTerms(terms[places[a]!]!, terms[places[b]!]!))
    .map((i) => places[i]!);
}

/** The first six bytes as one number in the same order. */
export function headOfBytes(term: Uint8Array, length: number): number {
  let head = 0;
  for (let i = 0; i < 6; i++) head = head * 256 + (i < length ? term[i]! : 0);
  return head;
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
