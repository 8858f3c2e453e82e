import type { Statistics } from "../query/bm25.ts";
import { averageLength } from "../query/bm25.ts";
import { DocumentFilter, type HitCounts, ones } from "../query/document-filter.ts";
import { type Matches, matchAll } from "../query/matches.ts";
import type { DocumentRuns } from "../segment/document-runs.ts";
import { lowerBound } from "../segment/packed-numbers.ts";
import type { PostingList } from "../segment/posting-list.ts";
import type { SegmentView } from "../segment/segment-view.ts";
import { impactsOf, newBits, setBits } from "./impacts.ts";

/** The living blocks of each word in one segment. */
export type SegmentLists = { readonly view: SegmentView; readonly lists: readonly PostingList[] };

/**
 * The matches of a query of which a hit needs any word, as lists of its words. They are never joined: counts come from
 * bit sets, and only the blocks of documents that can reach a page are looked up.
 */
export type WordLists = {
  readonly segments: readonly SegmentLists[];
  readonly accepts: ((document: number) => boolean) | undefined;
};

type Counted = HitCounts & { readonly all_words: number };

/** Counts blocks that have any of the words, and those that have all. */
export function countHits({ segments, accepts }: WordLists, size: Pick<Statistics, "n" | "totalLength">): Counted {
  const average = averageLength(size);
  const marks = new Uint8Array(documentsBelow(segments));
  let total = 0;
  let allWords = 0;
  for (const { view, lists } of segments) {
    const union = newBits(view.base, view.last);
    for (const list of lists) {
      if (list.size === 0) continue;
      const { documents, titles, bits } = impactsOf(list, view, average);
      if (bits) for (let i = 0; i < bits.length; i++) union[i]! |= bits[i]!;
      else setBits(union, list.numbers, list.size, view.base);
      for (let i = 0; i < documents.length; i++) marks[documents[i]!]! |= 1 | (titles[i]! << 1);
    }
    if (accepts) clearRefused(union, view, accepts);
    for (const word of union) total += ones(word);
    if (lists.every((list) => list.size > 0)) {
      const filter = new DocumentFilter(accepts, marks.length);
      filter.keep(matchAll(lists, []), view);
      allWords += filter.counts.total;
    }
  }
  let documents = 0;
  let title = 0;
  for (let document = 0; document < marks.length; document++) {
    if (marks[document] === 0 || (accepts && !accepts(document))) continue;
    documents++;
    title += marks[document]! >>> 1;
  }
  return { total, documents, content: total - title, title, all_words: allWords };
}

function clearRefused(
  bits: Uint32Array,
  { base, runs: { firsts, lasts, documents } }: SegmentView,
  accepts: (document: number) => boolean,
): void {
  for (let run = 0; run < firsts.length; run++) {
    if (accepts(documents[run]!)) continue;
    const last = lasts[run]! - base;
    for (let at = firsts[run]! - base; at <= last; ) {
      if ((at & 31) === 0 && at + 31 <= last) {
        bits[at >>> 5] = 0;
        at += 32;
      } else {
        bits[at >>> 5]! &= ~(1 << (at & 31));
        at++;
      }
    }
  }
}

/** The runs of a segment in the order of their documents. */
type RunsByDocument = { readonly documents: Uint32Array; readonly runs: Uint32Array };

const runsByDocument = new WeakMap<DocumentRuns, RunsByDocument>();

function byDocument(runs: DocumentRuns): RunsByDocument {
  const known = runsByDocument.get(runs);
  if (known) return known;
  const order = Uint32Array.from(runs.documents, (_, run) => run).sort(
    (a, b) => runs.documents[a]! - runs.documents[b]! || a - b,
  );
  const made = { documents: order.map((run) => runs.documents[run]!), runs: order };
  runsByDocument.set(runs, made);
  return made;
}

/** All document numbers are below this. */
export const documentsBelow = (segments: readonly SegmentLists[]): number =>
  segments.reduce((most, { view }) => Math.max(most, (byDocument(view.runs).documents.at(-1) ?? 0) + 1), 0);

/** The matches of one document, ascending by number. */
export function matchesOf(segments: readonly SegmentLists[], document: number, units: number): Matches {
  found.begin(units);
  for (const { view, lists } of segments) {
    const { documents, runs } = byDocument(view.runs);
    for (let at = lowerBound(documents, document); documents[at] === document; at++) {
      const run = runs[at]!;
      found.addRun(lists, view.runs.firsts[run]!, view.runs.lasts[run]!);
    }
  }
  return found.matches();
}

/** Gathers the matches of a document in columns that are used again and again: nothing waits in between. */
class FoundMatches {
  #units = 0;
  #size = 0;
  #capacity = 0;
  #numbers = new Uint32Array(0);
  #codes = new Uint32Array(0);
  #columns: Uint32Array[] = [];
  /** By distance from the first number of a run: the code + 1, and the frequency of each unit. */
  #codeAt = new Uint32Array(0);
  #frequencyAt = new Uint32Array(0);

  begin(units: number): void {
    this.#units = units;
    this.#size = 0;
    while (this.#columns.length < units) this.#columns.push(new Uint32Array(this.#capacity));
  }

  addRun(lists: readonly PostingList[], first: number, last: number): void {
    const width = last - first + 1;
    this.#makeRoom(width);
    const codeAt = this.#codeAt;
    const frequencyAt = this.#frequencyAt;
    for (let u = 0; u < this.#units; u++) {
      const { numbers, codes, frequencies, size } = lists[u]!;
      for (let i = lowerBound(numbers, first, 0, size); i < size && numbers[i]! <= last; i++) {
        const at = numbers[i]! - first;
        codeAt[at] = codes[i]! + 1;
        frequencyAt[u * width + at] = frequencies[i]!;
      }
    }
    for (let at = 0; at < width; at++) {
      if (codeAt[at] === 0) continue;
      this.#numbers[this.#size] = first + at;
      this.#codes[this.#size] = codeAt[at]! - 1;
      for (let u = 0; u < this.#units; u++) this.#columns[u]![this.#size] = frequencyAt[u * width + at]!;
      this.#size++;
    }
    codeAt.fill(0, 0, width);
    frequencyAt.fill(0, 0, width * this.#units);
  }

  /** They are true until the next document is begun. */
  matches(): Matches {
    const size = this.#size;
    const frequencies = this.#columns.slice(0, this.#units);
    return { size, numbers: this.#numbers, codes: this.#codes, frequencies };
  }

  #makeRoom(width: number): void {
    if (this.#codeAt.length < width) this.#codeAt = new Uint32Array(2 * width);
    if (this.#frequencyAt.length < width * this.#units) this.#frequencyAt = new Uint32Array(2 * width * this.#units);
    if (this.#size + width <= this.#capacity) return;
    this.#capacity = 2 * (this.#size + width);
    const longer = (column: Uint32Array) => {
      const made = new Uint32Array(this.#capacity);
      made.set(column.subarray(0, this.#size));
      return made;
    };
    this.#numbers = longer(this.#numbers);
    this.#codes = longer(this.#codes);
    this.#columns = this.#columns.map(longer);
  }
}

const found = new FoundMatches();

/** The document of a block; undefined for a number of no document in these segments. */
export function documentOf(segments: readonly SegmentLists[], number: number): number | undefined {
  for (const { view } of segments) {
    const { firsts, lasts, documents } = view.runs;
    const run = lowerBound(lasts, number);
    if (run < lasts.length && firsts[run]! <= number) return documents[run];
  }
  return undefined;
}
