import { DeadBits } from "../segment/dead-bits.ts";
import { type DocumentRuns, joinRuns } from "../segment/document-runs.ts";
import { uniteNumbers } from "../segment/packed-numbers.ts";
import { appendEntry, PostingList } from "../segment/posting-list.ts";
import {
  type EncodedPage,
  MAX_TERM_BYTES,
  PAGE_SIZE,
  type PageKind,
  type SegmentHead,
} from "../segment/segment-format.ts";
import { type Entry, PageScanner } from "../segment/segment-reader.ts";
import { SegmentWriter } from "../segment/segment-writer.ts";
import { compareBytes, HEAD_BYTES, headOfBytes } from "../segment/term-order.ts";

/** One of the neighbours to merge; `dead` (ascending) are the numbers to omit. */
export type MergeInput = SegmentHead & {
  readonly termPages: number;
  readonly runs: DocumentRuns;
  readonly dead: Uint32Array;
  page(kind: PageKind, number: number): Promise<Uint8Array>;
};

/** `blocks` is 0 if nothing was left: then there are no pages, and no segment is needed. */
export type MergedSegment = SegmentHead & { readonly runs: Uint8Array };

/** Bytes of input between two steps: well below a millisecond of work. */
const STEP_BYTES = 8192;

/**
 * Merges neighbours, ascending by number, into one segment: each term's lists are concatenated and numbers stay the
 * same. Each step yields the pages finished since the last (often none), so that the caller can store them and yield
 * when its time is used up. The pages belong to no segment until the caller swaps the segments.
 */
export async function* mergeSegments(inputs: readonly MergeInput[]): AsyncGenerator<EncodedPage[], MergedSegment> {
  const writer = new SegmentWriter(inputs[0]!.base);
  const cursors = inputs.map((input) => new SegmentCursor(input));
  for (const cursor of cursors) await cursor.load();
  const lowest = new CursorHeap(cursors);
  const term = new Uint8Array(MAX_TERM_BYTES);
  let length = -1;
  let work = 0;
  for (let cursor = lowest.top; cursor; cursor = lowest.top) {
    if (!cursor.isAt(term, length)) {
      writer.endTerm();
      length = cursor.copyTerm(term);
      writer.beginTerm(term, 0, length);
    }
    work += cursor.scanner!.isInline ? cursor.copyInline(writer) : await cursor.copyStreamed(writer);
    if (!cursor.next()) await cursor.load();
    lowest.topMoved();
    if (work < STEP_BYTES) continue;
    work = 0;
    yield writer.ready.splice(0);
  }
  writer.endTerm();
  writer.finish();
  yield writer.ready.splice(0);
  return summary(inputs);
}

function summary(inputs: readonly MergeInput[]): MergedSegment {
  const dead = uniteNumbers(inputs.map((input) => input.dead));
  const blocks = inputs.reduce((sum, input) => sum + input.blocks, 0) - dead.length;
  const runs = joinRuns(
    inputs.map((input) => input.runs),
    dead,
  );
  return { base: inputs[0]!.base, last: inputs.at(-1)!.last, blocks, runs };
}

/** Cursors that are not at their end, with the lowest on top: ordered by term, then by position in the list. */
class CursorHeap {
  readonly #cursors: readonly SegmentCursor[];
  /** The beginning of each cursor's term as a number, which is almost always enough to compare two. */
  readonly #heads: Float64Array;
  /** Indexes of the cursors. */
  readonly #heap: Uint32Array;
  #size: number;

  constructor(cursors: readonly SegmentCursor[]) {
    this.#cursors = cursors;
    this.#heads = Float64Array.from(cursors, (cursor) => cursor.head);
    this.#heap = Uint32Array.from(cursors.keys().filter((cursor) => cursors[cursor]!.scanner));
    this.#size = this.#heap.length;
    for (let at = this.#size >>> 1; at-- > 0; ) this.#sink(at);
  }

  get top(): SegmentCursor | undefined {
    return this.#size === 0 ? undefined : this.#cursors[this.#heap[0]!];
  }

  /** Restores the order after the top cursor has moved to its next entry, or to its end. */
  topMoved(): void {
    const cursor = this.#heap[0]!;
    this.#heads[cursor] = this.#cursors[cursor]!.head;
    if (!this.#cursors[cursor]!.scanner) this.#heap[0] = this.#heap[--this.#size]!;
    this.#sink(0);
  }

  #sink(from: number): void {
    const heap = this.#heap;
    const cursor = heap[from]!;
    let at = from;
    for (let child = 2 * at + 1; child < this.#size; child = 2 * at + 1) {
      if (child + 1 < this.#size && this.#isBefore(heap[child + 1]!, heap[child]!)) child++;
      if (!this.#isBefore(heap[child]!, cursor)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = cursor;
  }

  #isBefore(a: number, b: number): boolean {
    const difference = this.#heads[a]! - this.#heads[b]!;
    if (difference !== 0) return difference < 0;
    const order = this.#cursors[a]!.compareRest(this.#cursors[b]!);
    return order < 0 || (order === 0 && a < b);
  }
}

/** Walks the entries of one segment, page by page. */
class SegmentCursor {
  /** The current entry; undefined at the end. */
  scanner: PageScanner | undefined;
  /** The beginning of its term as a number. */
  head = 0;
  readonly #input: MergeInput;
  #pagesRead = 0;
  readonly #dead: DeadBits | undefined;
  #postings: PostingList | undefined;
  #streamPage: Uint8Array = new Uint8Array(0);
  #streamPageNumber = -1;

  constructor(input: MergeInput) {
    this.#input = input;
    this.#dead = input.dead.length > 0 ? new DeadBits(input.dead) : undefined;
  }

  /** Moves to the first entry of the next page. */
  async load(): Promise<void> {
    this.scanner = undefined;
    while (this.#pagesRead < this.#input.termPages) {
      const scanner = new PageScanner(await this.#input.page("terms", this.#pagesRead++), this.#input.base);
      this.scanner = scanner;
      if (this.next()) return;
      this.scanner = undefined;
    }
  }

  /** Moves to the next entry of the page; returns false if there is none. */
  next(): boolean {
    const { scanner } = this;
    if (!scanner?.next()) return false;
    this.head = headOfBytes(scanner.term, 0, scanner.termLength);
    return true;
  }

  isAt(term: Uint8Array, length: number): boolean {
    const { scanner } = this;
    return length === scanner!.termLength && compareBytes(scanner!.term, 0, length, term, 0, length) === 0;
  }

  /** Copies the current term; returns its length. */
  copyTerm(target: Uint8Array): number {
    const { term, termLength } = this.scanner!;
    for (let i = 0; i < termLength; i++) target[i] = term[i]!;
    return termLength;
  }

  /** Compares with a cursor that has the same head. */
  compareRest(other: SegmentCursor): number {
    const { term, termLength } = this.scanner!;
    const { term: otherTerm, termLength: otherLength } = other.scanner!;
    if (termLength <= HEAD_BYTES && otherLength <= HEAD_BYTES) return 0;
    return compareBytes(term, HEAD_BYTES, termLength, otherTerm, HEAD_BYTES, otherLength);
  }

  /** Returns roughly how many bytes were handled. */
  copyInline(writer: SegmentWriter): number {
    const { page, positionsAt } = this.scanner!;
    return this.#copy(writer, page, positionsAt);
  }

  async copyStreamed(writer: SegmentWriter): Promise<number> {
    return this.#copy(writer, await this.#streamed(this.scanner!), 0);
  }

  #copy(writer: SegmentWriter, positions: Uint8Array, positionsAt: number): number {
    const scanner = this.scanner!;
    const postings = this.#dead && this.#decoded(scanner);
    if (this.#dead && postings && hasDead(postings, this.#dead)) {
      copyAlive(writer, postings, positions, positionsAt, this.#dead);
      return scanner.count * 4 + scanner.positionsLength + 16;
    }
    writer.entry(scanner, positions, positionsAt);
    return scanner.postingsLength + scanner.positionsLength + 16;
  }

  #decoded(entry: Entry): PostingList {
    if (!this.#postings || entry.count > this.#postings.numbers.length)
      this.#postings = new PostingList(Math.max(512, entry.count));
    this.#postings.size = 0;
    appendEntry(this.#postings, entry);
    return this.#postings;
  }

  async #streamed({ positionsAt, positionsLength }: Entry): Promise<Uint8Array> {
    const bytes = new Uint8Array(positionsLength);
    for (let filled = 0; filled < positionsLength; ) {
      const offset = positionsAt + filled;
      const number = Math.floor(offset / PAGE_SIZE);
      await this.#loadStreamPage(number);
      const from = offset - number * PAGE_SIZE;
      const part = this.#streamPage.subarray(from, from + positionsLength - filled);
      if (part.length === 0) break;
      bytes.set(part, filled);
      filled += part.length;
    }
    return bytes;
  }

  async #loadStreamPage(number: number): Promise<void> {
    if (this.#streamPageNumber === number) return;
    this.#streamPage = await this.#input.page("positions", number);
    this.#streamPageNumber = number;
  }
}

function hasDead({ numbers, size }: PostingList, dead: DeadBits): boolean {
  for (let i = 0; i < size; i++) if (dead.has(numbers[i]!) === 1) return true;
  return false;
}

function copyAlive(
  writer: SegmentWriter,
  { numbers, codes, frequencies, size }: PostingList,
  positions: Uint8Array,
  positionsAt: number,
  dead: DeadBits,
): void {
  let at = positionsAt;
  for (let i = 0; i < size; i++) {
    const number = numbers[i]!;
    const frequency = frequencies[i]!;
    const from = at;
    for (let left = frequency; left > 0; ) if (positions[at++]! < 0x80) left--;
    if (dead.has(number) === 1) continue;
    writer.posting(number, codes[i]!, frequency);
    writer.positionSink.append(positions, from, at);
  }
}
