import type { SegmentView } from "./lookup.ts";

/** Finds the documents of ascending block numbers. */
export class DocumentWalker {
  private readonly segments: readonly SegmentView[];
  private segment = 0;
  private run = 0;

  constructor(segments: readonly SegmentView[]) {
    this.segments = segments;
  }

  documentOf(number: number): number {
    while (this.segments[this.segment]!.last < number) {
      this.segment++;
      this.run = 0;
    }
    const { lasts, documents } = this.segments[this.segment]!.runs;
    while (lasts[this.run]! < number) this.run++;
    return documents[this.run]!;
  }
}

/** A set of document numbers that only grows. */
export class DocumentSet {
  private bits = new Uint32Array(1024);
  size = 0;

  add(document: number): void {
    const word = document >>> 5;
    if (word >= this.bits.length) this.grow(word);
    const bit = 1 << (document & 31);
    if (this.bits[word]! & bit) return;
    this.bits[word]! |= bit;
    this.size++;
  }

  private grow(word: number): void {
    const grown = new Uint32Array(Math.max(word + 1, this.bits.length * 2));
    grown.set(this.bits);
    this.bits = grown;
  }
}
