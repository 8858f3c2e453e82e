import { type DocumentRuns, joinRuns } from "./document-runs.ts";
import { includesNumber, lowerBound } from "./packed-numbers.ts";
import { appendEntry, PostingList } from "./posting-list.ts";
import { type EncodedPage, type PageKind, pageSize, type SegmentHead } from "./segment-format.ts";
import { type Entry, PageScanner } from "./segment-reader.ts";
import { SegmentWriter } from "./segment-writer.ts";
import { compareBytes } from "./term-order.ts";

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
  const cursors = inputs.map((input) => new SegmentCursor(input));
  for (const cursor of cursors) await cursor.load();
  let work = 0;
  for (let group = lowest(cursors); group.length > 0; group = lowest(cursors)) {
    const [lead] = group;
    const term = lead!.scanner!.term.slice(0, lead!.scanner!.termLength);
    writer.beginTerm(term, term.length);
    for (const cursor of group) {
      do {
        const { isInline } = cursor.scanner!;
        work += isInline ? cursor.copyInline(writer) : await cursor.copyStreamed(writer);
        if (!cursor.scanner!.next()) await cursor.load();
        if (work < stepBytes) continue;
        work = 0;
        yield writer.ready.splice(0);
      } while (cursor.isAt(term));
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

/** The cursors at the lowest term, in order. */
function lowest(cursors: readonly SegmentCursor[]): SegmentCursor[] {
  let group: SegmentCursor[] = [];
  for (const cursor of cursors) {
    if (!cursor.scanner) continue;
    const order = group.length > 0 ? cursor.compare(group[0]!.scanner!) : -1;
    if (order < 0) group = [cursor];
    else if (order === 0) group.push(cursor);
  }
  return group;
}

/** Walks the entries of one segment, page by page. */
class SegmentCursor {
  /** The current entry; undefined at the end. */
  scanner: PageScanner | undefined;
  private readonly input: MergeInput;
  private pagesRead = 0;
  private postings = new PostingList(512);
  private streamPage = new Uint8Array(0) as Uint8Array;
  private streamPageNumber = -1;

  constructor(input: MergeInput) {
    this.input = input;
  }

  /** Goes to the first entry of the next page. */
  async load(): Promise<void> {
    this.scanner = undefined;
    while (this.pagesRead < this.input.termPages) {
      const scanner = new PageScanner(await this.input.page("terms", this.pagesRead++), this.input.base);
      if (!scanner.next()) continue;
      this.scanner = scanner;
      return;
    }
  }

  isAt(term: Uint8Array): boolean {
    return (
      this.scanner !== undefined && compareBytes(this.scanner.term, this.scanner.termLength, term, term.length) === 0
    );
  }

  compare(other: PageScanner): number {
    const { term, termLength } = this.scanner!;
    return compareBytes(term, termLength, other.term, other.termLength);
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
    if (scanner.count > this.postings.numbers.length) this.postings = new PostingList(scanner.count);
    this.postings.size = 0;
    appendEntry(this.postings, scanner);
    copyPostings(writer, this.postings, positions, positionsAt, deadWithin(this.input.dead, scanner));
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
    if (dead.length > 0 && includesNumber(dead, number)) continue;
    writer.posting(number, list.codes[i]!, frequency);
    writer.positionSink.append(positions, from, at);
  }
}
