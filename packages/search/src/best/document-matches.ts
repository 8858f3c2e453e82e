import { defined } from "@svc/document/defined";
import { averageLength, type Statistics } from "../query/bm25.ts";
import type { Evaluation } from "../query/evaluation.ts";
import type { Matches } from "../query/matches.ts";
import { Scorer } from "../query/scores.ts";
import { impactsOf } from "./impacts.ts";
import { documentOf, documentsBelow, matchesOf, type SegmentLists, type WordLists } from "./lists.ts";
import { maskOf } from "./score-document.ts";
import { saturated, type Weights } from "./weights.ts";

/** The matches of a query by document. */
type ByDocument = {
  readonly documents: ArrayLike<number>;
  /** No block of a document scores more than its limit. By index in `documents`. */
  limits(statistics: Statistics, weights: Weights, pinned: ReadonlySet<number>): Float64Array;
  /** A list of matches, and the indexes of the document's matches in it. */
  of(document: number): { readonly matches: Matches; readonly candidates: readonly number[] };
};

export const byDocument = (found: Evaluation): ByDocument =>
  found.lists ? new ListedMatches(found.lists, found.statistics.df.length) : new JoinedMatches(found);

/** A word in more than one of so many blocks counts by document, and others by block. */
const COMMON = 16;

/** By distance from a segment's first number, and by document; empty between two calls. */
let blockScores = new Float64Array(0);
let documentScores = new Float64Array(0);

/**
 * Adds to each document what its best block gets from the rarer words, and returns which words those are. This is closer
 * than the sum of what different blocks get, and takes longer, so that common words are left out.
 */
function addBestBlocks({ view, lists }: SegmentLists, weights: Weights, all: Float64Array): boolean[] {
  const { base, last, documents } = view;
  if (!documents) return lists.map(() => false);
  const width = last - base + 1;
  const rare = lists.map(({ size }) => size * COMMON <= width);
  if (blockScores.length < width) blockScores = new Float64Array(width);
  if (documentScores.length < all.length) documentScores = new Float64Array(all.length);
  else documentScores.fill(0, 0, all.length);
  for (const [u, { numbers, codes, frequencies, size }] of lists.entries()) {
    if (!rare[u]) continue;
    const idf = weights.idf[u]!;
    for (let i = 0; i < size; i++)
      blockScores[numbers[i]! - base]! += idf * saturated(frequencies[i]!, weights.blockNorm(codes[i]! >>> 1));
  }
  for (const [u, { numbers, size }] of lists.entries()) {
    if (!rare[u]) continue;
    for (let i = 0; i < size; i++) {
      const at = numbers[i]! - base;
      const score = blockScores[at]!;
      const document = documents[at]!;
      const before = documentScores[document]!;
      blockScores[at] = 0;
      if (score <= before) continue;
      all[document]! += score - before;
      documentScores[document] = score;
    }
  }
  return rare;
}

/** Whether a block of the document may score as much as `least`: closer than its limit, and cheaper than its scores. */
export function mayReach(
  { matches, candidates }: ReturnType<ByDocument["of"]>,
  weights: Weights,
  pinned: ReadonlySet<number>,
  least: number,
): boolean {
  const { numbers, codes, frequencies } = matches;
  const { idf } = weights;
  let most = 0;
  let mask = 0;
  let title = 0;
  for (const match of candidates) {
    if (pinned.size > 0 && pinned.has(numbers[match]!)) return true;
    const norm = weights.blockNorm(codes[match]! >>> 1);
    let own = 0;
    let units = 0;
    for (let u = 0; u < frequencies.length; u++) {
      const tf = frequencies[u]![match]!;
      if (tf === 0) continue;
      units |= 1 << u;
      own += idf[u]! * saturated(tf, norm);
    }
    if (own > most) most = own;
    if (codes[match]! & 1) title |= units;
    else mask |= units;
  }
  return most + weights.contextLimit(mask, title) + TOLERANCE >= least;
}

/** More than rounding errors of a score. */
const TOLERANCE = 1e-6;

/** Matches that are looked up in the lists of the words when a document is scored. */
class ListedMatches implements ByDocument {
  readonly #lists: WordLists;
  readonly #units: number;
  documents = new Uint32Array(0);

  constructor(lists: WordLists, units: number) {
    this.#lists = lists;
    this.#units = units;
  }

  limits(statistics: Statistics, weights: Weights, pinned: ReadonlySet<number>): Float64Array {
    const { segments, accepts } = this.#lists;
    const all = this.#allLimits(averageLength(statistics), weights);
    for (const number of pinned) {
      const document = documentOf(segments, number);
      if (document !== undefined && all[document]! > 0) all[document] = Infinity;
    }
    const documents = new Uint32Array(all.length);
    const limits = new Float64Array(all.length);
    let count = 0;
    for (let document = 0; document < all.length; document++) {
      if (all[document] === 0 || (accepts && !accepts(document))) continue;
      documents[count] = document;
      limits[count++] = all[document]! + TOLERANCE;
    }
    this.documents = documents.subarray(0, count);
    return limits.subarray(0, count);
  }

  #allLimits(average: number, weights: Weights): Float64Array {
    const { segments } = this.#lists;
    const all = new Float64Array(documentsBelow(segments));
    for (const segment of segments) {
      const { view, lists } = segment;
      const rare = addBestBlocks(segment, weights, all);
      for (const [u, list] of lists.entries()) {
        if (list.size === 0) continue;
        const idf = rare[u] ? 0 : weights.idf[u]!;
        const around = weights.contextLimit(1 << u, 0);
        const title = weights.contextLimit(1 << u, 1 << u) - around;
        const { documents, best, titles } = impactsOf(list, view, average);
        for (let i = 0; i < documents.length; i++)
          all[documents[i]!]! += idf * best[i]! + around + (titles[i] ? title : 0);
      }
    }
    return all;
  }

  of(document: number) {
    const matches = matchesOf(this.#lists.segments, document, this.#units);
    const candidates: number[] = [];
    for (let i = 0; i < matches.size; i++) candidates.push(i);
    return { matches, candidates };
  }
}

type Range = { readonly from: number; readonly to: number };

/** All matches of a query as one list, and the ranges of each document in it. */
class JoinedMatches implements ByDocument {
  readonly matches: Matches;
  readonly documents: readonly number[];
  readonly #ranges = new Map<number, Range[]>();

  constructor({ matches, documents = [] }: Evaluation) {
    this.matches = joinedMatches(matches);
    const owners = joinColumns(documents);
    for (let i = 0; i < this.matches.size; ) {
      const document = owners[i]!;
      let end = i + 1;
      while (end < this.matches.size && owners[end] === document) end++;
      const ranges = this.#ranges.get(document);
      if (ranges) ranges.push({ from: i, to: end });
      else this.#ranges.set(document, [{ from: i, to: end }]);
      i = end;
    }
    this.documents = [...this.#ranges.keys()];
  }

  of(document: number) {
    const candidates: number[] = [];
    for (const { from, to } of defined(this.#ranges.get(document))) for (let i = from; i < to; i++) candidates.push(i);
    return { matches: this.matches, candidates };
  }

  limits(statistics: Statistics, weights: Weights, pinned: ReadonlySet<number>): Float64Array {
    const { numbers, codes, frequencies } = this.matches;
    const own = new Scorer(statistics).scores(this.matches);
    const contexts = new Map<number, number>();
    return Float64Array.from(this.#ranges.values(), (ranges) => {
      let most = 0;
      let mask = 0;
      let title = 0;
      for (const { from, to } of ranges)
        for (let i = from; i < to; i++) {
          if (pinned.size > 0 && pinned.has(numbers[i]!)) return Infinity;
          const score = own[i]!;
          if (score > most) most = score;
          const units = maskOf(frequencies, i);
          if (codes[i]! & 1) title |= units;
          else mask |= units;
        }
      const key = mask * 2 ** 32 + (title >>> 0);
      const context = contexts.get(key) ?? weights.contextLimit(mask, title);
      contexts.set(key, context);
      return most + context + TOLERANCE;
    });
  }
}

function joinColumns(columns: readonly Uint32Array[]): Uint32Array {
  const [first] = columns;
  if (first && columns.length === 1) return first;
  const all = new Uint32Array(columns.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const column of columns) {
    all.set(column, at);
    at += column.length;
  }
  return all;
}

function joinedMatches(matches: readonly Matches[]): Matches {
  const [first] = matches;
  if (first && matches.length === 1) return first;
  const column = (of: (some: Matches) => Uint32Array) =>
    joinColumns(matches.map((some) => of(some).subarray(0, some.size)));
  return {
    size: matches.reduce((sum, { size }) => sum + size, 0),
    numbers: column(({ numbers }) => numbers),
    codes: column(({ codes }) => codes),
    frequencies: (first?.frequencies ?? []).map((_, u) => column(({ frequencies }) => defined(frequencies[u]))),
  };
}
