import { writeUtf8 } from "./bytes.ts";
import { type EncodedPage, type Field, lengthCode, maxTermBytes } from "./segment-format.ts";
import { SegmentWriter } from "./segment-writer.ts";
import { termOrder } from "./term-order.ts";
import { scan } from "./tokenizer.ts";

/** Encoding is done in one go, so one writer with its buffers is enough for all. */
const writer = new SegmentWriter(0);
const bytes = new Uint8Array(maxTermBytes);

/** Takes blocks in order and encodes them as the pages of one segment. Pages hold distances: they fit any base. */
export class SegmentBuilder {
  private readonly codes: number[] = [];
  private readonly termIds = new Map<string, number>();
  private readonly terms: string[] = [];
  private readonly counts: number[] = [];
  /** Per occurrence, in the order of the texts: its term, block and position. */
  private readonly occurrenceTerms: number[] = [];
  private readonly occurrenceBlocks: number[] = [];
  private readonly positions: number[] = [];

  /** The text's length in words. One without words is not indexed. */
  add(field: Field, text: string): number {
    const length = scan(text, this.note);
    if (length > 0) this.codes.push(lengthCode(length, field));
    return length;
  }

  private readonly note = (term: string, _start: number, _end: number, position: number): void => {
    let id = this.termIds.get(term);
    if (id === undefined) {
      id = this.terms.length;
      this.termIds.set(term, id);
      this.terms.push(term);
      this.counts.push(0);
    }
    this.counts[id]!++;
    this.occurrenceTerms.push(id);
    this.occurrenceBlocks.push(this.codes.length);
    this.positions.push(position);
  };

  /** Empty when nothing was indexed. */
  encode(): readonly EncodedPage[] {
    if (this.codes.length === 0) return [];
    const { starts, order } = this.byTerm();
    writer.clear();
    for (const id of termOrder(this.terms)) {
      writer.beginTerm(bytes, writeUtf8(this.terms[id]!, bytes));
      this.writeOccurrences(order, starts[id]!, starts[id + 1]!);
      writer.endTerm();
    }
    writer.finish();
    return writer.ready;
  }

  /** Occurrences ordered by term, ascending within each: those of a term are `order[starts[id], starts[id + 1])`. */
  private byTerm(): { starts: Uint32Array; order: Uint32Array } {
    const { counts, occurrenceTerms } = this;
    const starts = new Uint32Array(counts.length + 1);
    for (let id = 0; id < counts.length; id++) starts[id + 1] = starts[id]! + counts[id]!;
    const next = starts.slice();
    const order = new Uint32Array(occurrenceTerms.length);
    for (let i = 0; i < occurrenceTerms.length; i++) order[next[occurrenceTerms[i]!]!++] = i;
    return { starts, order };
  }

  private writeOccurrences(order: Uint32Array, start: number, end: number): void {
    const { occurrenceBlocks, positions } = this;
    for (let from = start; from < end; ) {
      const block = occurrenceBlocks[order[from]!]!;
      let to = from + 1;
      while (to < end && occurrenceBlocks[order[to]!] === block) to++;
      writer.posting(block, this.codes[block]!, to - from);
      let previous = 0;
      for (; from < to; from++) {
        const position = positions[order[from]!]!;
        writer.positionSink.varint(position - previous);
        previous = position;
      }
    }
  }
}
