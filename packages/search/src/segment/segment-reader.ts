import { MAX_TERM_BYTES } from "./segment-format.ts";

/** One entry of a term page: the locations of its postings and positions. */
export type Entry = {
  readonly page: Uint8Array;
  readonly count: number;
  readonly first: number;
  readonly last: number;
  readonly postingsAt: number;
  readonly postingsLength: number;
  readonly isInline: boolean;
  /** Offset in the page if inline, else in the segment's position stream. */
  readonly positionsAt: number;
  readonly positionsLength: number;
};

/** The next position of `varint`. Module state, because a field of the scanner costs a third of the time of a seek. */
let at = 0;

function varint(page: Uint8Array): number {
  let byte = page[at++]!;
  if (byte < 0x80) return byte;
  let value = byte & 0x7f;
  let scale = 128;
  do {
    byte = page[at++] ?? 0;
    value += (byte & 0x7f) * scale;
    scale *= 128;
  } while (byte >= 0x80);
  return value;
}

/** Skips the rest of an entry whose term was read. */
function skipEntry(page: Uint8Array): void {
  const head = varint(page);
  varint(page);
  let postings = 0;
  if (head > 3) {
    varint(page);
    postings = varint(page);
  }
  if (head & 1) postings += varint(page);
  else {
    varint(page);
    varint(page);
  }
  if (head <= 3) {
    varint(page);
    varint(page);
  }
  at += postings;
}

/** Walks the entries of a term page; `term[0, termLength)` and the fields of the entry belong to the current one. */
export class PageScanner implements Entry {
  readonly page: Uint8Array;
  readonly #base: number;
  readonly term: Uint8Array;
  termLength = 0;
  count = 0;
  first = 0;
  last = 0;
  postingsAt = 0;
  postingsLength = 0;
  isInline = false;
  positionsAt = 0;
  positionsLength = 0;
  #nextAt = 0;

  /** `term` may be shared by scanners that are not used at the same time. */
  constructor(page: Uint8Array, base: number, term: Uint8Array = new Uint8Array(MAX_TERM_BYTES)) {
    this.page = page;
    this.#base = base;
    this.term = term;
  }

  next(): boolean {
    if (this.#nextAt >= this.page.length) return false;
    at = this.#nextAt;
    const shared = varint(this.page);
    this.#readTerm(shared, varint(this.page));
    this.#readEntry();
    return true;
  }

  /**
   * Moves to the first entry whose term is not below `target`. Terms ascend: if an entry shares more bytes with its
   * predecessor than the predecessor shares with the target, it is below the target too; if it shares fewer, it is past
   * it.
   */
  seek(target: Uint8Array): boolean {
    const { page, term } = this;
    let common = 0;
    at = this.#nextAt;
    while (at < page.length) {
      const shared = varint(page);
      const suffix = varint(page);
      if (shared <= common) {
        const termAt = at - shared;
        const differs = firstDifference(page, termAt, target, shared, shared + suffix);
        const isBelow =
          shared === common &&
          differs < target.length &&
          (differs === shared + suffix || page[termAt + differs]! < target[differs]!);
        if (!isBelow) {
          term.set(target.subarray(0, shared));
          this.#readTerm(shared, suffix);
          this.#readEntry();
          return true;
        }
        common = differs;
      }
      at += suffix;
      skipEntry(page);
    }
    this.#nextAt = page.length;
    return false;
  }

  /** Returns a copy of the current entry. */
  entry(): Entry {
    const { page, count, first, last, postingsAt, postingsLength, isInline, positionsAt, positionsLength } = this;
    return { page, count, first, last, postingsAt, postingsLength, isInline, positionsAt, positionsLength };
  }

  #readTerm(shared: number, suffix: number): void {
    for (let i = 0; i < suffix; i++) this.term[shared + i] = this.page[at + i]!;
    at += suffix;
    this.termLength = shared + suffix;
  }

  #readEntry(): void {
    const { page } = this;
    const head = varint(page);
    this.count = Math.floor(head / 2);
    this.isInline = head % 2 === 1;
    this.first = this.#base + varint(page);
    this.last = this.count > 1 ? this.first + varint(page) : this.first;
    const postingsLength = this.count > 1 ? varint(page) : 0;
    if (!this.isInline) this.positionsAt = varint(page);
    this.positionsLength = varint(page);
    this.postingsAt = at;
    at += postingsLength;
    if (this.count === 1) {
      varint(page);
      varint(page);
    }
    this.postingsLength = at - this.postingsAt;
    if (this.isInline) {
      this.positionsAt = at;
      at += this.positionsLength;
    }
    this.#nextAt = at;
  }
}

/** First index from `from` at which `page[offset + i]` and `target[i]` differ, at most `to`. */
function firstDifference(page: Uint8Array, offset: number, target: Uint8Array, from: number, to: number): number {
  let i = from;
  while (i < to && i < target.length && page[offset + i] === target[i]) i++;
  return i;
}
