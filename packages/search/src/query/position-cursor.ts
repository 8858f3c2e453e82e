import { advance } from "../segment/posting-list.ts";
import { PAGE_SIZE } from "../segment/segment-format.ts";
import type { PageSource } from "../segment/segment-view.ts";
import type { TermPostings } from "../segment/term-postings.ts";

/** Reads the positions of ascending blocks of a term in one segment. */
export class PositionCursor {
  readonly #segment: number;
  readonly #source: TermPostings;
  readonly #pages: PageSource;
  #posting = 0;
  #entry = -1;
  #bytes: Uint8Array = new Uint8Array(0);
  #at = 0;
  /** The posting whose positions begin at `at`. */
  #readable = 0;

  constructor(segment: number, source: TermPostings, pages: PageSource) {
    this.#segment = segment;
    this.#source = source;
    this.#pages = pages;
  }

  /** Writes the positions of block `number` to `out`, which stays empty if the list does not have the block. */
  read(number: number, out: number[]): void {
    const { list } = this.#source;
    out.length = 0;
    this.#posting = advance(list.numbers, list.size, this.#posting, number);
    if (this.#posting >= list.size || list.numbers[this.#posting] !== number) return;
    this.#moveToPosting();
    let position = 0;
    for (let i = list.frequencies[this.#posting]!; i > 0; i--) {
      position += this.#varint();
      out.push(position);
    }
    this.#readable++;
  }

  #moveToPosting(): void {
    const { starts, list } = this.#source;
    if (this.#entry < 0 || this.#posting >= starts[this.#entry + 1]!) {
      while (this.#posting >= starts[this.#entry + 1]!) this.#entry++;
      this.#openEntry();
    }
    let skipped = 0;
    for (; this.#readable < this.#posting; this.#readable++) skipped += list.frequencies[this.#readable]!;
    while (skipped > 0) if (this.#bytes[this.#at++]! < 0x80) skipped--;
  }

  #openEntry(): void {
    const entry = this.#source.entries[this.#entry]!;
    this.#readable = this.#source.starts[this.#entry]!;
    this.#at = 0;
    this.#bytes = entry.isInline
      ? entry.page.subarray(entry.positionsAt, entry.positionsAt + entry.positionsLength)
      : readStream(this.#pages, this.#segment, entry.positionsAt, entry.positionsLength);
  }

  #varint(): number {
    let byte = this.#bytes[this.#at++]!;
    let value = byte & 0x7f;
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = this.#bytes[this.#at++]!;
      value |= (byte & 0x7f) << shift;
    }
    return value;
  }
}

/** Reads a part of a segment's position stream, which may span several pages. */
function readStream(pages: PageSource, segment: number, offset: number, length: number): Uint8Array {
  const first = Math.floor(offset / PAGE_SIZE);
  const inFirst = offset - first * PAGE_SIZE;
  const page = pages.page(segment, "positions", first);
  if (inFirst + length <= page.length) return page.subarray(inFirst, inFirst + length);
  const bytes = new Uint8Array(length);
  let filled = 0;
  for (let number = first; filled < length; number++) {
    const from = number === first ? inFirst : 0;
    const part = pages.page(segment, "positions", number).subarray(from, from + length - filled);
    if (part.length === 0) break;
    bytes.set(part, filled);
    filled += part.length;
  }
  return bytes;
}
