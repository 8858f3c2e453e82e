import { maxTermBytes } from "./segment-format.ts";

/** One entry of a term page: where its postings and positions are. */
export type Entry = {
  readonly page: Uint8Array;
  readonly count: number;
  readonly first: number;
  readonly last: number;
  readonly postingsAt: number;
  readonly isInline: boolean;
  /** Offset in the page if inline, else in the segment's position stream. */
  readonly positionsAt: number;
  readonly positionsLength: number;
};

/** Walks the entries of a term page; `term[0, termLength)` and the fields of the entry are those of the current one. */
export class PageScanner implements Entry {
  readonly page: Uint8Array;
  private readonly base: number;
  readonly term = new Uint8Array(maxTermBytes);
  termLength = 0;
  count = 0;
  first = 0;
  last = 0;
  postingsAt = 0;
  isInline = false;
  positionsAt = 0;
  positionsLength = 0;
  private at = 0;

  constructor(page: Uint8Array, base: number) {
    this.page = page;
    this.base = base;
  }

  next(): boolean {
    if (this.at >= this.page.length) return false;
    this.readTerm();
    const head = this.varint();
    this.count = Math.floor(head / 2);
    this.isInline = head % 2 === 1;
    this.first = this.base + this.varint();
    this.last = this.count > 1 ? this.first + this.varint() : this.first;
    const postingsLength = this.count > 1 ? this.varint() : 0;
    if (!this.isInline) this.positionsAt = this.varint();
    this.positionsLength = this.varint();
    this.postingsAt = this.at;
    this.at += postingsLength;
    if (this.count === 1) {
      this.varint();
      this.varint();
    }
    if (this.isInline) {
      this.positionsAt = this.at;
      this.at += this.positionsLength;
    }
    return true;
  }

  /** The current entry as a value of its own. */
  entry(): Entry {
    const { page, count, first, last, postingsAt, isInline, positionsAt, positionsLength } = this;
    return { page, count, first, last, postingsAt, isInline, positionsAt, positionsLength };
  }

  private readTerm(): void {
    const shared = this.varint();
    const suffix = this.varint();
    for (let i = 0; i < suffix; i++) this.term[shared + i] = this.page[this.at + i]!;
    this.at += suffix;
    this.termLength = shared + suffix;
  }

  private varint(): number {
    const { page } = this;
    let byte = page[this.at++]!;
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    let scale = 128;
    do {
      byte = page[this.at++] ?? 0;
      value += (byte & 0x7f) * scale;
      scale *= 128;
    } while (byte >= 0x80);
    return value;
  }
}
