import { type DocumentRuns, joinRuns } from "./document-runs.ts";
import { includesNumber, lowerBound } from "./packed-numbers.ts";
import { appendEntry, PostingList } from "./posting-list.ts";
import { type EncodedPage, type PageKind, pageSize, type SegmentHead } from "./segment-format.ts";
import { type Entry, PageScanner } from "./segment-reader.ts";
import { SegmentWriter } from "./segment-writer.ts";
import { compareBytes, headOfBytes } from "./term-order.ts";

/** One of the neighbours to merge; `dead` (ascending) are the numbers to leave out. */
export type MergeInput = SegmentHead & {
  readonly termPages: number;
  readonly runs: DocumentRuns;
  readonly dead: Uint32Array;
  page(kind: PageKind, number: number): Promise<Uint8Array>;
};

/** `blocks` is 0 when nothing was left: then there are no pages, and no segment is needed. */
export type MergedSegment = SegmentHead & { readonly runs: Uint8Array };

/** Bytes of input between two steps: well below a millisecond of work. */
const stepBytes = 8192;

/**
 * Merges neighbours, ascending by number, into one segment: every term's lists one behind the other, numbers as they
 * were. Each step yields the pages finished since the last (often none), so that the caller can store them and let
 * others run whenever its time is used up. The pages belong to nobody until the caller swaps the segments.
 */
export async function* mergeSegments(inputs: readonly MergeInput[]): AsyncGenerator<EncodedPage[], MergedSegment> {
  const base = inputs[0]!.base;
  const writer = new SegmentWriter(base);
  const cursors = new CursorQueue();
  for (const [place, input] of inputs.entries()) {
    const cursor = new SegmentCursor(input, place);
    await cursor.load();
    cursors.add(cursor);
  }
  let work = 0;
  for (let group = cursors.takeLowest(); group.length > 0; group = cursors.takeLowest()) {
    const [lead] = group;
    const term = lead!.scanner!.term.slice(0, lead!.scanner!.termLength);
    writer.beginTerm(term, 0, term.length);
    for (const cursor of group) {
      do {
        const { isInline } = cursor.scanner!;
        work += isInline ? cursor.copyInline(writer) : await cursor.copyStreamed(writer);
        if (!cursor.next()) await cursor.load();
        if (work < stepBytes) continue;
        work = 0;
        yield writer.ready.splice(0);
      } while (cursor.isAt(term));
      cursors.add(cursor);
    }
    writer.endTerm();
  }
  writer.finish();
  yield writer.ready.splice(0);
  return summary(inputs);
}

function summary(inputs: readonly MergeInput[]): MergedSegment {
  const dead = Uint32Array.from(inputs.flatMap((input) => [...input.dead]));
  const blocks = inputs.reduce((sum, input) => sum + input.blocks, 0) - dead.length;
  const runs = joinRuns(
    inputs.map((input) => input.runs),
    dead,
  );
  return { base: inputs[0]!.base, last: inputs.at(-1)!.last, blocks, runs };
}

/** Cursors that are not at their end, by their terms and then by their places. */
class CursorQueue {
  /** The lowest last. */
  private readonly sorted: SegmentCursor[] = [];

  add(cursor: SegmentCursor): void {
    if (!cursor.scanner) return;
    const { sorted } = this;
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = sorted[middle]!.compare(cursor) || sorted[middle]!.place - cursor.place;
      if (order > 0) low = middle + 1;
      else high = middle;
    }
    sorted.splice(low, 0, cursor);
  }

  /** Takes out those at the lowest term, in order. */
  takeLowest(): SegmentCursor[] {
    const { sorted } = this;
    const group: SegmentCursor[] = [];
    do {
      const cursor = sorted.pop();
      if (cursor) group.push(cursor);
    } while (sorted.length > 0 && sorted.at(-1)!.compare(group[0]!) === 0);
    return group;
  }
}

/** Walks the entries of one segment, page by page. */
class SegmentCursor {
  /** The current entry; undefined at the end. */
  scanner: PageScanner | undefined;
  /** The beginning of its term as a number: nearly always enough to compare two. */
  private head = 0;
  /** Its segment's among those that are merged. */
  readonly place: number;
  private readonly input: MergeInput;
  private pagesRead = 0;
  private postings: PostingList | undefined;
  private streamPage = new Uint8Array(0) as Uint8Array;
  private streamPageNumber = -1;

  constructor(input: MergeInput, place: number) {
    this.input = input;
    this.place = place;
  }

  /** Goes to the first entry of the next page. */
  async load(): Promise<void> {
    this.scanner = undefined;
    while (this.pagesRead < this.input.termPages) {
      const scanner = new PageScanner(await this.input.page("terms", this.pagesRead++), this.input.base);
      this.scanner = scanner;
      if (this.next()) return;
      this.scanner = undefined;
    }
  }

  /** Goes to the next entry of the page; false when there is none. */
  next(): boolean {
    const { scanner } = this;
    if (!scanner?.next()) return false;
    this.head = headOfBytes(scanner.term, 0, scanner.termLength);
    return true;
  }

  isAt(term: Uint8Array): boolean {
    return (
      this.scanner !== undefined &&
      compareBytes(this.scanner.term, 0, this.scanner.termLength, term, 0, term.length) === 0
    );
  }

  compare(other: SegmentCursor): number {
    if (this.head !== other.head) return this.head - other.head;
    const { term, termLength } = this.scanner!;
    return compareBytes(term, 0, termLength, other.scanner!.term, 0, other.scanner!.termLength);
  }

  /** Returns roughly how many bytes were handled. */
  copyInline(writer: SegmentWriter): number {
    const { page, positionsAt } = this.scanner!;
    return this.copy(writer, page, positionsAt);
  }

  async copyStreamed(writer: SegmentWriter): Promise<number> {
    return this.copy(writer, await this.streamed(this.scanner!), 0);
  }

  private copy(writer: SegmentWriter, positions: Uint8Array, positionsAt: number): number {
    const scanner = this.scanner!;
    const dead = deadWithin(this.input.dead, scanner);
    if (dead.length === 0) {
      writer.entry(scanner, positions, positionsAt);
      return scanner.postingsLength + scanner.positionsLength + 16;
    }
    if (!this.postings || scanner.count > this.postings.numbers.length)
      this.postings = new PostingList(Math.max(512, scanner.count));
    this.postings.size = 0;
    appendEntry(this.postings, scanner);
    copyPostings(writer, this.postings, positions, positionsAt, dead);
    return scanner.count * 4 + scanner.positionsLength + 16;
  }

  private async streamed({ positionsAt, positionsLength }: Entry): Promise<Uint8Array> {
    const bytes = new Uint8Array(positionsLength);
    for (let filled = 0; filled < positionsLength; ) {
      const offset = positionsAt + filled;
      const number = Math.floor(offset / pageSize);
      await this.loadStreamPage(number);
      const from = offset - number * pageSize;
      const part = this.streamPage.subarray(from, from + positionsLength - filled);
      if (part.length === 0) break;
      bytes.set(part, filled);
      filled += part.length;
    }
    return bytes;
  }

  private async loadStreamPage(number: number): Promise<void> {
    if (this.streamPageNumber === number) return;
    this.streamPage = await this.input.page("positions", number);
    this.streamPageNumber = number;
  }
}

function deadWithin(dead: Uint32Array, entry: Entry): Uint32Array {
  if (dead.length === 0) return dead;
  return dead.subarray(lowerBound(dead, entry.first), lowerBound(dead, entry.last + 1));
}

function copyPostings(
  writer: SegmentWriter,
  list: PostingList,
  positions: Uint8Array,
  positionsAt: number,
  dead: Uint32Array,
): void {
  let at = positionsAt;
  for (let i = 0; i < list.size; i++) {
    const number = list.numbers[i]!;
    const frequency = list.frequencies[i]!;
    const from = at;
    for (let left = frequency; left > 0; ) if (positions[at++]! < 0x80) left--;
    if (includesNumber(dead, number)) continue;
    writer.posting(number, list.codes[i]!, frequency);
    writer.positionSink.append(positions, from, at);
  }
}
