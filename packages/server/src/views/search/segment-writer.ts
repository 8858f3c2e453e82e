import { ByteSink, fromUtf8 } from "./bytes.ts";
import { type EncodedPage, entrySize, inlinePositions, maxTermBytes, pageSize } from "./segment-format.ts";
import type { Entry } from "./segment-reader.ts";

/** Room for the fixed numbers of an entry's head. */
const headRoom = 48;

/** Writes terms in byte order, each with its postings ascending; finished pages appear in `ready`. */
export class SegmentWriter {
  ready: EncodedPage[] = [];
  private readonly base: number;
  private readonly page = new ByteSink(pageSize);
  private readonly postings = new ByteSink(2 * entrySize);
  private readonly positions = new ByteSink(2 * inlinePositions);
  private readonly stream = new ByteSink(2 * pageSize);
  private readonly term = new Uint8Array(maxTermBytes);
  private termLength = 0;
  private readonly previousTerm = new Uint8Array(maxTermBytes);
  private previousLength = 0;
  private firstTerm = "";
  private termPages = 0;
  private positionPages = 0;
  private streamed = 0;
  private count = 0;
  private first = 0;
  private last = 0;

  constructor(base: number) {
    this.base = base;
  }

  beginTerm(term: Uint8Array, length: number): void {
    for (let i = 0; i < length; i++) this.term[i] = term[i]!;
    this.termLength = length;
  }

  /** The caller then appends exactly `frequency` position differences to `positionSink`. */
  posting(number: number, code: number, frequency: number): void {
    if (this.postings.length >= entrySize) this.flushEntry();
    if (this.count === 0) this.first = number;
    else this.postings.varint(number - this.last);
    this.postings.varint(code);
    this.postings.varint(frequency);
    this.last = number;
    this.count++;
  }

  /** All postings of an entry as they are, and their positions, which begin at `positionsAt`. */
  entry(entry: Entry, positions: Uint8Array, positionsAt: number): void {
    const { page, first, last, count, postingsAt, postingsLength, positionsLength } = entry;
    if (this.count > 0 && this.postings.length + postingsLength > entrySize) this.flushEntry();
    if (this.count === 0) this.first = first;
    else this.postings.varint(first - this.last);
    this.postings.append(page, postingsAt, postingsAt + postingsLength);
    this.positions.append(positions, positionsAt, positionsAt + positionsLength);
    this.last = last;
    this.count += count;
  }

  get positionSink(): ByteSink {
    return this.positions;
  }

  endTerm(): void {
    if (this.count > 0) this.flushEntry();
  }

  finish(): void {
    if (this.page.length > 0) this.flushPage();
    if (this.stream.length > 0) this.flushStream(this.stream.length);
  }

  /** Begins another segment. */
  clear(): void {
    this.ready = [];
    for (const sink of [this.page, this.postings, this.positions, this.stream]) sink.clear();
    this.termPages = 0;
    this.positionPages = 0;
    this.streamed = 0;
    this.count = 0;
  }

  private flushEntry(): void {
    const isInline = this.positions.length <= inlinePositions;
    const size = this.termLength + headRoom + this.postings.length + (isInline ? this.positions.length : 0);
    if (this.page.length + size > pageSize) this.flushPage();
    this.writeHead(isInline);
    this.page.append(this.postings.bytes, 0, this.postings.length);
    if (isInline) this.page.append(this.positions.bytes, 0, this.positions.length);
    else this.streamPositions();
    this.postings.clear();
    this.positions.clear();
    this.count = 0;
  }

  private writeHead(isInline: boolean): void {
    const { page } = this;
    if (page.length === 0) this.firstTerm = fromUtf8(this.term.subarray(0, this.termLength));
    const shared = page.length === 0 ? 0 : this.sharedLength();
    page.varint(shared);
    page.varint(this.termLength - shared);
    page.append(this.term, shared, this.termLength);
    page.varint(this.count * 2 + (isInline ? 1 : 0));
    page.varint(this.first - this.base);
    if (this.count > 1) {
      page.varint(this.last - this.first);
      page.varint(this.postings.length);
    }
    if (!isInline) page.varint(this.streamed);
    page.varint(this.positions.length);
    for (let i = shared; i < this.termLength; i++) this.previousTerm[i] = this.term[i]!;
    this.previousLength = this.termLength;
  }

  private sharedLength(): number {
    const limit = Math.min(this.termLength, this.previousLength);
    let shared = 0;
    while (shared < limit && this.term[shared] === this.previousTerm[shared]) shared++;
    return shared;
  }

  private streamPositions(): void {
    this.stream.append(this.positions.bytes, 0, this.positions.length);
    this.streamed += this.positions.length;
    while (this.stream.length >= pageSize) this.flushStream(pageSize);
  }

  private flushStream(length: number): void {
    const bytes = this.stream.bytes.slice(0, length);
    this.ready.push({ kind: "positions", number: this.positionPages++, bytes, firstTerm: "" });
    this.stream.bytes.copyWithin(0, length, this.stream.length);
    this.stream.length -= length;
  }

  private flushPage(): void {
    if (this.page.length === 0) return;
    this.ready.push({
      kind: "terms",
      number: this.termPages++,
      bytes: this.page.take(),
      firstTerm: this.firstTerm,
    });
    this.page.clear();
  }
}
