// A segment holds the postings of a range of block numbers and never changes. It consists of
//
// - term pages: entries sorted by the bytes of their term, the term without the bytes it shares with the one before.
//   A long list is cut into several entries of the same term, ascending, possibly on several pages.
//   Entry: shared, suffix length, suffix, count * 2 + inline, first - base, [last - first, bytes of postings: only
//   if count > 1], positions (their length if inline, else offset and length in the position stream), postings,
//   inline positions.
//   Posting: difference to the number before (absent for the first), length * 2 + (1 if title), term frequency.
// - position pages: one stream of bytes cut into pages of exactly `pageSize`; holds the positions of long lists,
//   so that only phrases read them. Positions of a posting: differences, the first from zero.
//
// All numbers are varints; pages are numbered from 0 within their kind.

/** One page fits into a leaf of SQLite and is below the size at which PostgreSQL moves a value out of its row. */
export const PAGE_SIZE = 4000;
/** An entry is closed when its postings reach this many bytes. */
export const ENTRY_SIZE = 1200;
/** Positions up to this many bytes are stored beside their postings. */
export const INLINE_POSITIONS = 600;
/** Block numbers and positions are 32-bit. */
export const MAX_BLOCK_NUMBER = 0xffffffff;
export const MAX_TERM_BYTES = 255;

export type PageKind = "terms" | "positions";
/** `firstTerm` of a term page is its entry in the directory; position pages have none. */
export type EncodedPage = {
  readonly kind: PageKind;
  readonly number: number;
  readonly bytes: Uint8Array;
  readonly firstTerm: string;
};

/** `base` and `last` are the lowest and highest block number; `blocks` is the number of blocks put in. */
export type SegmentHead = { readonly base: number; readonly last: number; readonly blocks: number };

export type Field = "content" | "title";
export const lengthCode = (length: number, field: Field): number => length * 2 + (field === "title" ? 1 : 0);
export const lengthOfCode = (code: number): number => code >>> 1;
export const fieldOfCode = (code: number): Field => (code & 1 ? "title" : "content");
