import { writeUtf8 } from "./bytes.ts";
import { type BlockOwner, packRuns } from "./document-runs.ts";
import { type EncodedSegment, type Field, lengthCode, maxBlockNumber, maxTermBytes } from "./segment-format.ts";
import { SegmentWriter } from "./segment-writer.ts";
import { sortTerms } from "./term-order.ts";
import { scan } from "./tokenizer.ts";

export type IndexedBlock = { readonly number: number; readonly length: number };

/** Takes blocks in order, gives them numbers, and encodes them as one segment. */
export class SegmentBuilder {
  private readonly base: number;
  private readonly codes: number[] = [];
  private readonly owners: BlockOwner[] = [];
  /** Per term a flat list of (index of the block, position), ascending. */
  private readonly occurrences = new Map<string, number[]>();

  /** `base` is the number of the first block. */
  constructor(base: number) {
    this.base = base;
  }

  get nextNumber(): number {
    return this.base + this.codes.length;
  }

  /** A text without words is not indexed and gets no number. */
  add(document: number, field: Field, text: string): IndexedBlock | undefined {
    const number = this.nextNumber;
    if (number > maxBlockNumber) throw new RangeError("The workspace has used up its block numbers.");
    const index = this.codes.length;
    const { occurrences } = this;
    const length = scan(text, (term, _start, _end, position) => {
      const list = occurrences.get(term);
      if (list) list.push(index, position);
      else occurrences.set(term, [index, position]);
    });
    if (length === 0) return undefined;
    this.codes.push(lengthCode(length, field));
    this.owners.push({ number, document });
    return { number, length };
  }

  /** Undefined when nothing was indexed. */
  encode(): EncodedSegment | undefined {
    const blocks = this.codes.length;
    if (blocks === 0) return undefined;
    const writer = new SegmentWriter(this.base);
    const bytes = new Uint8Array(maxTermBytes);
    for (const term of sortTerms([...this.occurrences.keys()])) {
      writer.beginTerm(bytes, writeUtf8(term, bytes));
      this.writeOccurrences(writer, this.occurrences.get(term)!);
      writer.endTerm();
    }
    writer.finish();
    return {
      base: this.base,
      last: this.base + blocks - 1,
      blocks,
      pages: writer.ready,
      runs: packRuns(this.owners),
    };
  }

  private writeOccurrences(writer: SegmentWriter, list: readonly number[]): void {
    for (let from = 0; from < list.length; ) {
      const index = list[from]!;
      let to = from;
      while (to < list.length && list[to] === index) to += 2;
      writer.posting(this.base + index, this.codes[index]!, (to - from) / 2);
      let previous = 0;
      for (let i = from + 1; i < to; i += 2) {
        writer.positionSink.varint(list[i]! - previous);
        previous = list[i]!;
      }
      from = to;
    }
  }
}
