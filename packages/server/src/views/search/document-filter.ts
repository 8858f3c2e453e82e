import type { SegmentView } from "./lookup.ts";
import type { Matches } from "./matches.ts";
import { lowerBound } from "./packed-numbers.ts";

export type HitCounts = {
  readonly total: number;
  readonly documents: number;
  readonly content: number;
  readonly title: number;
};

export type AcceptedMatches = { readonly matches: Matches; readonly counts: HitCounts };

/** Keeps the blocks of accepted documents and counts them. Looks at each run of a document's blocks once. */
export function filterMatches(
  matches: Matches,
  segments: readonly SegmentView[],
  accepts: ((document: number) => boolean) | undefined,
): AcceptedMatches {
  const { numbers, codes, size } = matches;
  const walker = new RunWalker(segments);
  const documents = new DocumentSet();
  const kept = accepts ? new Uint32Array(size) : undefined;
  let isAccepted = true;
  let total = 0;
  let title = 0;
  for (let i = 0; i < size; i++) {
    const number = numbers[i]!;
    if (number > walker.last) {
      const document = walker.moveTo(number);
      isAccepted = accepts === undefined || accepts(document);
      if (isAccepted) documents.add(document);
    }
    if (!isAccepted) continue;
    if (kept) kept[total] = i;
    title += codes[i]! & 1;
    total++;
  }
  const counts = { total, documents: documents.size, content: total - title, title };
  return { matches: kept && total < size ? pick(matches, kept.subarray(0, total)) : matches, counts };
}

function pick({ numbers, codes, frequencies }: Matches, kept: Uint32Array): Matches {
  const column = (from: Uint32Array): Uint32Array => kept.map((i) => from[i]!);
  return { size: kept.length, numbers: column(numbers), codes: column(codes), frequencies: frequencies.map(column) };
}

/** Steps through the document runs of all segments with ascending numbers. */
class RunWalker {
  /** Up to which number the document of the last move is the answer. */
  last = -1;
  private readonly segments: readonly SegmentView[];
  private segment = 0;
  private run = 0;

  constructor(segments: readonly SegmentView[]) {
    this.segments = segments;
  }

  moveTo(number: number): number {
    while (this.segments[this.segment]!.last < number) {
      this.segment++;
      this.run = 0;
    }
    const { lasts, documents } = this.segments[this.segment]!.runs;
    while (lasts[this.run]! < number) this.run++;
    this.last = lasts[this.run]!;
    return documents[this.run]!;
  }
}

/** The document of any indexed block. */
export function documentOf(segments: readonly SegmentView[], number: number): number {
  const { lasts, documents } = segments.find((segment) => segment.last >= number)!.runs;
  return documents[lowerBound(lasts, number)]!;
}

/** A set of document numbers that only grows. */
class DocumentSet {
  size = 0;
  private bits = new Uint32Array(64);

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
