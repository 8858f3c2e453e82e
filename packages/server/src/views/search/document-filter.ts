import type { SegmentView } from "./lookup.ts";
import { type Matches, pickMatches } from "./matches.ts";
import { lowerBound } from "./packed-numbers.ts";
import { advance } from "./posting-list.ts";

export type HitCounts = {
  readonly total: number;
  readonly documents: number;
  readonly content: number;
  readonly title: number;
};

/** Keeps the blocks of accepted documents, one segment after the other, and counts them. */
export class DocumentFilter {
  private readonly accepts: ((document: number) => boolean) | undefined;
  private readonly documents: DocumentSet;
  private total = 0;
  private title = 0;

  /** `documents`: numbers are below this, most likely. */
  constructor(accepts: ((document: number) => boolean) | undefined, documents: number) {
    this.accepts = accepts;
    this.documents = new DocumentSet(documents);
  }

  get counts(): HitCounts {
    const { total, title, documents } = this;
    return { total, documents: documents.size, content: total - title, title };
  }

  keep(matches: Matches, view: SegmentView): Matches {
    const { size } = matches;
    const documents = documentsOf(matches, view);
    const kept = this.accepts && this.acceptedOf(documents, size, this.accepts);
    const rest = kept && kept.length < size ? pickMatches(matches, kept, kept.length) : matches;
    if (rest === matches) this.documents.addAll(documents, size);
    else for (let i = 0; i < kept!.length; i++) this.documents.add(documents[kept![i]!]!);
    let title = 0;
    for (let i = 0; i < rest.size; i++) title += rest.codes[i]! & 1;
    this.total += rest.size;
    this.title += title;
    return rest;
  }

  /** Looks at each run of a document's blocks once. */
  private acceptedOf(documents: Uint32Array, size: number, accepts: (document: number) => boolean): Uint32Array {
    const kept = new Uint32Array(size);
    let count = 0;
    let last = -1;
    let isAccepted = false;
    for (let i = 0; i < size; i++) {
      const document = documents[i]!;
      if (document !== last) {
        last = document;
        isAccepted = accepts(document);
      }
      if (isAccepted) kept[count++] = i;
    }
    return kept.subarray(0, count);
  }
}

/** The document of each match. */
function documentsOf({ numbers, size }: Matches, { base, documents, runs }: SegmentView): Uint32Array {
  const found = new Uint32Array(size);
  if (documents) for (let i = 0; i < size; i++) found[i] = documents[numbers[i]! - base]!;
  else
    for (let i = 0, run = 0; i < size; i++) {
      run = advance(runs.lasts, runs.lasts.length, run, numbers[i]!);
      found[i] = runs.documents[run]!;
    }
  return found;
}

/** The document of an indexed block of a segment. */
export const documentOf = ({ runs }: SegmentView, number: number): number =>
  runs.documents[lowerBound(runs.lasts, number)]!;

/** A set of document numbers that only grows. */
class DocumentSet {
  size = 0;
  private bits: Uint32Array;

  constructor(capacity: number) {
    this.bits = new Uint32Array((capacity >>> 5) + 1);
  }

  addAll(documents: Uint32Array, size: number): void {
    let last = -1;
    for (let i = 0; i < size; i++) {
      if (documents[i] === last) continue;
      last = documents[i]!;
      this.add(last);
    }
  }

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
