import { ByteSink, fromUtf8, writeVarint } from "./bytes.ts";
import { ENTRY_SIZE, type EncodedPage, INLINE_POSITIONS, MAX_TERM_BYTES, PAGE_SIZE } from "./segment-format.ts";
import type { Entry } from "./segment-reader.ts";

/** Space for the fixed numbers of an entry's head. */
const HEAD_ROOM = 48;

/** Writes terms in byte order, each with its postings ascending; finished pages appear in `ready`. */
export class SegmentWriter {
  ready: EncodedPage[] = [];
  readonly #base: number;
  readonly #page = new ByteSink(PAGE_SIZE);
  readonly #postings = new ByteSink(2 * ENTRY_SIZE);
  readonly #positions = new ByteSink(2 * INLINE_POSITIONS);
  readonly #stream = new ByteSink(2 * PAGE_SIZE);
  /** The term's bytes are `term[termStart, termEnd)`. */
  #term: Uint8Array = new Uint8Array(0);
  #termStart = 0;
  #termEnd = 0;
  readonly #previousTerm = new Uint8Array(MAX_TERM_BYTES);
  #previousLength = 0;
  #firstTerm = "";
  #termPages = 0;
  #positionPages = 0;
  #streamed = 0;
  #count = 0;
  #first = 0;
  #last = 0;

  constructor(base: number) {
    this.#base = base;
  }

  /** The term is `bytes[start, end)`, which must not change until the term ends. */
  beginTerm(bytes: Uint8Array, start: number, end: number): void {
    this.#term = bytes;
    this.#termStart = start;
    this.#termEnd = end;
  }

  /** The caller then appends exactly `frequency` position differences to `positionSink`. */
  posting(number: number, code: number, frequency: number): void {
    if (this.#postings.length >= ENTRY_SIZE) this.#flushEntry();
    if (this.#count === 0) this.#first = number;
    else this.#postings.varint(number - this.#last);
    this.#postings.varint(code);
    this.#postings.varint(frequency);
    this.#last = number;
    this.#count++;
  }

  /** Copies all postings of an entry, and their positions, which begin at `positionsAt`. */
  entry(entry: Entry, positions: Uint8Array, positionsAt: number): void {
    const { page, first, last, count, postingsAt, postingsLength, positionsLength } = entry;
    if (this.#count > 0 && this.#postings.length + postingsLength > ENTRY_SIZE) this.#flushEntry();
    if (this.#count === 0) this.#first = first;
    else this.#postings.varint(first - this.#last);
    this.#postings.append(page, postingsAt, postingsAt + postingsLength);
    this.#positions.append(positions, positionsAt, positionsAt + positionsLength);
    this.#last = last;
    this.#count += count;
  }

  get positionSink(): ByteSink {
    return this.#positions;
  }

  endTerm(): void {
    if (this.#count > 0) this.#flushEntry();
  }

  finish(): void {
    if (this.#page.length > 0) this.#flushPage();
    if (this.#stream.length > 0) this.#flushStream(this.#stream.length);
  }

  /** Starts another segment. */
  clear(): void {
    this.ready = [];
    for (const sink of [this.#page, this.#postings, this.#positions, this.#stream]) sink.clear();
    this.#termPages = 0;
    this.#positionPages = 0;
    this.#streamed = 0;
    this.#count = 0;
  }

  #flushEntry(): void {
    const isInline = this.#positions.length <= INLINE_POSITIONS;
    const size =
      this.#termEnd - this.#termStart + HEAD_ROOM + this.#postings.length + (isInline ? this.#positions.length : 0);
    if (this.#page.length + size > PAGE_SIZE) this.#flushPage();
    this.#writeHead(isInline);
    this.#page.append(this.#postings.bytes, 0, this.#postings.length);
    if (isInline) this.#page.append(this.#positions.bytes, 0, this.#positions.length);
    else this.#streamPositions();
    this.#postings.clear();
    this.#positions.clear();
    this.#count = 0;
  }

  /** The page has enough space for it. */
  #writeHead(isInline: boolean): void {
    const page = this.#page;
    const term = this.#term;
    const termStart = this.#termStart;
    const termEnd = this.#termEnd;
    const previousTerm = this.#previousTerm;
    const { bytes } = page;
    const isFirst = page.length === 0;
    if (isFirst) this.#firstTerm = fromUtf8(term.subarray(termStart, termEnd));
    const shared = isFirst ? 0 : this.#sharedLength();
    let at = writeVarint(bytes, page.length, shared);
    at = writeVarint(bytes, at, termEnd - termStart - shared);
    for (let i = termStart + shared; i < termEnd; i++) {
      previousTerm[i - termStart] = term[i]!;
      bytes[at++] = term[i]!;
    }
    this.#previousLength = termEnd - termStart;
    at = writeVarint(bytes, at, this.#count * 2 + (isInline ? 1 : 0));
    at = writeVarint(bytes, at, this.#first - this.#base);
    if (this.#count > 1) {
      at = writeVarint(bytes, at, this.#last - this.#first);
      at = writeVarint(bytes, at, this.#postings.length);
    }
    if (!isInline) at = writeVarint(bytes, at, this.#streamed);
    page.length = writeVarint(bytes, at, this.#positions.length);
  }

  #sharedLength(): number {
    const term = this.#term;
    const termStart = this.#termStart;
    const previousTerm = this.#previousTerm;
    const limit = Math.min(this.#termEnd - termStart, this.#previousLength);
    let shared = 0;
    while (shared < limit && term[termStart + shared] === previousTerm[shared]) shared++;
    return shared;
  }

  #streamPositions(): void {
    this.#stream.append(this.#positions.bytes, 0, this.#positions.length);
    this.#streamed += this.#positions.length;
    while (this.#stream.length >= PAGE_SIZE) this.#flushStream(PAGE_SIZE);
  }

  #flushStream(length: number): void {
    const bytes = this.#stream.bytes.slice(0, length);
    this.ready.push({ kind: "positions", number: this.#positionPages++, bytes, firstTerm: "" });
    this.#stream.bytes.copyWithin(0, length, this.#stream.length);
    this.#stream.length -= length;
  }

  #flushPage(): void {
    if (this.#page.length === 0) return;
    this.ready.push({
      kind: "terms",
      number: this.#termPages++,
      bytes: this.#page.take(),
      firstTerm: this.#firstTerm,
    });
    this.#page.clear();
  }
}
