import type { PageSource, SegmentEntry, SegmentView } from "./lookup.ts";
import { lowerBound } from "./packed-numbers.ts";
import { PositionCursor, PositionedList } from "./position-cursor.ts";
import { advance, PostingList } from "./posting-list.ts";
import type { PageKey } from "./store-port.ts";
import { uniteTerms } from "./unite.ts";

/** A slot with its terms: one, or those that begin with a prefix. */
export type PhraseSlot = { readonly offset: number; readonly terms: readonly (readonly SegmentEntry[])[] };

/** Slots at fixed distances from each other. Its candidates hold all terms; only their positions are read. */
export class Phrase {
  readonly candidates: PostingList;
  private readonly slots: readonly { offset: number; lists: readonly PositionedList[] }[];

  constructor(slots: readonly PhraseSlot[], segments: readonly SegmentView[]) {
    this.slots = slots.map(({ offset, terms }) => ({ offset, lists: terms.map((term) => new PositionedList(term)) }));
    const holders = slots.map(({ terms }, i) =>
      terms.length === 1 ? this.slots[i]!.lists[0]!.list : uniteTerms(terms),
    );
    this.candidates = withoutDead(intersect(holders), segments);
  }

  positionPages(): PageKey[] {
    if (this.candidates.size === 0) return [];
    return this.slots.flatMap(({ lists }) => lists.flatMap((list) => list.positionPages(this.candidates)));
  }

  /** The blocks in which the phrase stands; the frequency is the number of places where it begins. */
  match(pages: PageSource): PostingList {
    const { numbers, codes, size } = this.candidates;
    const found = new PostingList(size);
    const readers = this.slots.map(({ lists }) => slotReader(lists, this.candidates, pages));
    const positions: number[] = [];
    const starts: number[] = [];
    for (let i = 0; i < size; i++) {
      readers[0]!(i, starts);
      for (let s = 1; s < readers.length && starts.length > 0; s++) {
        readers[s]!(i, positions);
        keepFollowed(starts, positions, this.slots[s]!.offset);
      }
      if (starts.length > 0) found.push(numbers[i]!, codes[i]!, starts.length);
    }
    return found;
  }
}

/** Keeps those of `starts` for which `start + offset` is among `positions`; both ascending. The first offset is 0. */
function keepFollowed(starts: number[], positions: readonly number[], offset: number): void {
  let kept = 0;
  let p = 0;
  for (const start of starts) {
    while (p < positions.length && positions[p]! < start + offset) p++;
    if (positions[p] === start + offset) starts[kept++] = start;
  }
  starts.length = kept;
}

type SlotReader = (candidate: number, out: number[]) => void;

function slotReader(lists: readonly PositionedList[], candidates: PostingList, pages: PageSource): SlotReader {
  if (lists.length !== 1) return gatheredReader(lists, candidates, pages);
  const cursor = new PositionCursor(lists[0]!, pages);
  return (candidate, out) => cursor.read(candidates.numbers[candidate]!, out);
}

/** Positions of all terms of a prefix, per candidate. */
function gatheredReader(lists: readonly PositionedList[], candidates: PostingList, pages: PageSource): SlotReader {
  const gathered: (number[] | undefined)[] = new Array(candidates.size);
  const positions: number[] = [];
  for (const source of lists) {
    const cursor = new PositionCursor(source, pages);
    forEachCommon(source.list, candidates, (number, candidate) => {
      cursor.read(number, positions);
      gathered[candidate] ??= [];
      for (const position of positions) gathered[candidate].push(position);
    });
  }
  return (candidate, out) => {
    out.length = 0;
    const found = Float64Array.from(gathered[candidate] ?? []).sort();
    for (const position of found) if (position !== out[out.length - 1]) out.push(position);
  };
}

function forEachCommon(list: PostingList, candidates: PostingList, visit: (number: number, at: number) => void): void {
  let at = 0;
  for (let i = 0; i < list.size && at < candidates.size; ) {
    const number = list.numbers[i]!;
    at = advance(candidates.numbers, candidates.size, at, number);
    if (at < candidates.size && candidates.numbers[at] === number) visit(number, at);
    if (at < candidates.size) i = advance(list.numbers, list.size, i + 1, candidates.numbers[at]!);
  }
}

/** Blocks that all lists have, with the codes of the shortest list. */
function intersect(lists: readonly PostingList[]): PostingList {
  const [shortest, ...others] = lists.toSorted((a, b) => a.size - b.size);
  const common = new PostingList(shortest!.size);
  const at = new Uint32Array(others.length);
  outer: for (let i = 0; i < shortest!.size; i++) {
    const number = shortest!.numbers[i]!;
    for (let o = 0; o < others.length; o++) {
      const other = others[o]!;
      at[o] = advance(other.numbers, other.size, at[o]!, number);
      if (at[o]! >= other.size) break outer;
      if (other.numbers[at[o]!] !== number) continue outer;
    }
    common.push(number, shortest!.codes[i]!, 0);
  }
  return common;
}

function withoutDead(list: PostingList, segments: readonly SegmentView[]): PostingList {
  if (segments.every((segment) => segment.dead.length === 0)) return list;
  const alive = new PostingList(list.size);
  let s = 0;
  let d = 0;
  for (let i = 0; i < list.size; i++) {
    const number = list.numbers[i]!;
    const before = s;
    while (segments[s]!.last < number) s++;
    const { dead } = segments[s]!;
    d = lowerBound(dead, number, s === before ? d : 0);
    if (dead[d] !== number) alive.push(number, list.codes[i]!, 0);
  }
  return alive;
}
