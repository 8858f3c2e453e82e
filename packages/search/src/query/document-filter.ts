import { advance } from "../segment/posting-list.ts";
import type { SegmentView } from "../segment/segment-view.ts";
import { type Matches, pickMatches } from "./matches.ts";

export type HitCounts = {
  readonly total: number;
  readonly documents: number;
  readonly content: number;
  readonly title: number;
};

/** The document of each match. */
export function documentsOf(matches: Pick<Matches, "numbers" | "size">, view: SegmentView): Uint32Array {
  const { documents, base } = view;
  if (!documents) return documentsByRun(matches, view);
  const found = new Uint32Array(matches.size);
  for (let i = 0; i < matches.size; i++) found[i] = documents[matches.numbers[i]! - base]!;
  return found;
}

/** Keeps the blocks of accepted documents, one segment after the other, and counts them. */
export class DocumentFilter {
  readonly #accepts: ((document: number) => boolean) | undefined;
  readonly #documents: DocumentSet;
  #total = 0;
  #title = 0;

  /** `documents` sets the initial capacity: most document numbers should be below it. */
  constructor(accepts: ((document: number) => boolean) | undefined, documents: number) {
    this.#accepts = accepts;
    this.#documents = new DocumentSet(documents);
  }

  get counts(): HitCounts {
    const total = this.#total;
    const title = this.#title;
    return { total, documents: this.#documents.size, content: total - title, title };
  }

  keep(matches: Matches, view: SegmentView): Matches {
    const accepts = this.#accepts;
    if (accepts) return this.#keepAccepted(matches, view, accepts);
    this.#countAll(matches, view);
    return matches;
  }

  #countAll(matches: Matches, view: SegmentView): void {
    const { numbers, codes, size } = matches;
    const { base } = view;
    const dense = view.documents;
    if (dense) this.#documents.addAll(numbers, size, dense, base);
    else for (const document of documentsByRun(matches, view)) this.#documents.add(document);
    let title = 0;
    for (let i = 0; i < size; i++) title += codes[i]! & 1;
    this.#total += size;
    this.#title += title;
  }

  /** Tests each run of a document's blocks once. */
  #keepAccepted(matches: Matches, view: SegmentView, accepts: (document: number) => boolean): Matches {
    const { numbers, codes, size } = matches;
    const { base } = view;
    const dense = view.documents;
    const found = dense ?? documentsByRun(matches, view);
    const documents = this.#documents;
    const kept = room(size);
    let last = -1;
    let isAccepted = true;
    let total = 0;
    let title = 0;
    for (let i = 0; i < size; i++) {
      const document = found[dense ? numbers[i]! - base : i]!;
      if (document !== last) {
        last = document;
        isAccepted = accepts(document);
        if (isAccepted) documents.add(document);
      }
      if (!isAccepted) continue;
      kept[total++] = i;
      title += codes[i]! & 1;
    }
    this.#total += total;
    this.#title += title;
    return total < size ? pickMatches(matches, kept, total) : matches;
  }
}

/** Counts the blocks of a list that belong to visible documents. */
export function countShown(
  list: Pick<Matches, "numbers" | "size">,
  view: SegmentView,
  shows: (document: number) => boolean,
): number {
  const dense = view.documents;
  const found = dense ?? documentsByRun(list, view);
  let last = -1;
  let isShown = false;
  let count = 0;
  for (let i = 0; i < list.size; i++) {
    const document = found[dense ? list.numbers[i]! - view.base : i]!;
    if (document !== last) {
      last = document;
      isShown = shows(document);
    }
    if (isShown) count++;
  }
  return count;
}

/** Reused by every filter, one at a time: allocating a large list takes longer than filling it. */
let scratch = new Uint32Array(1024);

function room(size: number): Uint32Array {
  if (scratch.length < size) scratch = new Uint32Array(Math.max(size, scratch.length * 2));
  return scratch;
}

function documentsByRun(
  { numbers, size }: Pick<Matches, "numbers" | "size">,
  { runs: { lasts, documents } }: SegmentView,
): Uint32Array {
  const found = new Uint32Array(size);
  for (let i = 0, run = 0; i < size; i++) {
    run = advance(lasts, lasts.length, run, numbers[i]!);
    found[i] = documents[run]!;
  }
  return found;
}

/** A set of document numbers that only grows. */
class DocumentSet {
  size = 0;
  #bits: Uint32Array;

  constructor(capacity: number) {
    this.#bits = new Uint32Array((capacity >>> 5) + 1);
  }

  add(document: number): void {
    const word = document >>> 5;
    this.#put(word, (this.#bits[word] ?? 0) | (1 << (document & 31)));
  }

  /**
   * Adds the document of each number, found at the number's distance from `base`. Neighbouring numbers have
   * neighbouring documents, so their bits are combined before they are stored.
   */
  addAll(numbers: Uint32Array, size: number, documents: Uint32Array, base: number): void {
    let word = 0;
    let bits = this.#bits[0]!;
    for (let i = 0; i < size; i++) {
      const document = documents[numbers[i]! - base]!;
      if (document >>> 5 !== word) {
        this.#put(word, bits);
        word = document >>> 5;
        bits = this.#bits[word] ?? 0;
      }
      bits |= 1 << (document & 31);
    }
    this.#put(word, bits);
  }

  #put(word: number, bits: number): void {
    if (word >= this.#bits.length) this.#grow(word);
    this.size += ones(bits ^ this.#bits[word]!);
    this.#bits[word] = bits;
  }

  #grow(word: number): void {
    const grown = new Uint32Array(Math.max(word + 1, this.#bits.length * 2));
    grown.set(this.#bits);
    this.#bits = grown;
  }
}

/** Counts the set bits. */
export function ones(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
