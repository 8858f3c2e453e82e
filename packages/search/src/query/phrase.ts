import { intersect } from "../segment/intersect.ts";
import { advance, PostingList } from "../segment/posting-list.ts";
import type { PageSource } from "../segment/segment-view.ts";
import type { PageKey } from "../segment/store-port.ts";
import type { TermPostings } from "../segment/term-postings.ts";
import { uniteTerms } from "../segment/unite.ts";
import { PositionCursor } from "./position-cursor.ts";

/** A slot with its terms in a segment: one, or all with a prefix. */
export type PhraseSlot = { readonly offset: number; readonly terms: readonly TermPostings[] };

/** Slots at fixed distances from each other. Its candidates contain all terms; only their positions are read. */
export class Phrase {
  readonly candidates: PostingList;
  readonly #slots: readonly PhraseSlot[];
  readonly #segment: number;

  constructor(slots: readonly PhraseSlot[], segment: number) {
    this.#slots = slots;
    this.#segment = segment;
    this.candidates = holdersOf(slots);
  }

  positionPages(): PageKey[] {
    if (this.candidates.size === 0) return [];
    return this.#slots.flatMap(({ terms }) =>
      terms.flatMap((term) => term.positionPages(this.#segment, this.candidates)),
    );
  }

  /** The blocks that contain the phrase; the frequency is the number of positions at which it begins. */
  match(pages: PageSource): PostingList {
    const { numbers, codes, size } = this.candidates;
    const found = new PostingList(size);
    const readers = this.#slots.map(({ terms }) => slotReader(terms, this.candidates, this.#segment, pages));
    const positions: number[] = [];
    const starts: number[] = [];
    for (let i = 0; i < size; i++) {
      readers[0]!(i, starts);
      for (let s = 1; s < readers.length && starts.length > 0; s++) {
        readers[s]!(i, positions);
        keepFollowed(starts, positions, this.#slots[s]!.offset);
      }
      if (starts.length > 0) found.push(numbers[i]!, codes[i]!, starts.length);
    }
    return found;
  }
}

/** Blocks that contain a term of every slot, with their codes. */
function holdersOf(slots: readonly PhraseSlot[]): PostingList {
  const lists = slots.map(({ terms }) =>
    terms.length === 1 ? terms[0]!.list : uniteTerms(terms.map((term) => term.entries)),
  );
  const { size, at } = intersect(lists);
  const holders = new PostingList(size);
  const { numbers, codes } = lists[0]!;
  for (let i = 0; i < size; i++) holders.push(numbers[at[0]![i]!]!, codes[at[0]![i]!]!, 0);
  return holders;
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

function slotReader(
  terms: readonly TermPostings[],
  candidates: PostingList,
  segment: number,
  pages: PageSource,
): SlotReader {
  if (terms.length !== 1) return gatheredReader(terms, candidates, segment, pages);
  const cursor = new PositionCursor(segment, terms[0]!, pages);
  return (candidate, out) => cursor.read(candidates.numbers[candidate]!, out);
}

/** Positions of all terms of a prefix, per candidate. */
function gatheredReader(
  terms: readonly TermPostings[],
  candidates: PostingList,
  segment: number,
  pages: PageSource,
): SlotReader {
  const gathered: (number[] | undefined)[] = new Array(candidates.size);
  const positions: number[] = [];
  for (const source of terms) {
    const cursor = new PositionCursor(segment, source, pages);
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
