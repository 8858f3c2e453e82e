import {
  findEntries,
  type LookupError,
  type PageKey,
  type PageSource,
  type SegmentEntry,
  type SegmentView,
} from "./lookup.ts";
import { Phrase, type PhraseHit } from "./phrase.ts";
import { PostingList } from "./posting-list.ts";
import type { Slot, Unit } from "./query.ts";
import { uniteTerms } from "./unite.ts";

/** A unit whose terms are read. Phrases wait for their position pages. */
export type OpenUnit = { readonly positionPages: readonly PageKey[]; close(pages: PageSource): PostingList };

export function openUnit(segments: readonly SegmentView[], unit: Unit, pages: PageSource): OpenUnit | LookupError {
  const found: TermsOfSlot[][] = [];
  for (const slots of unit.alternatives) {
    const terms = termsOf(segments, slots, pages);
    if ("error" in terms) return terms;
    found.push(terms);
  }
  const [alternative] = found;
  if (found.length === 1 && alternative!.length === 1) {
    const list = alternative![0]!.terms.length > 0 ? uniteTerms(alternative![0]!.terms) : new PostingList(0);
    return { positionPages: [], close: () => list };
  }
  const phrases = found
    .filter((slots) => slots.every(({ terms }) => terms.length > 0))
    .map((slots) => new Phrase(slots, segments));
  return {
    positionPages: phrases.flatMap((phrase) => phrase.positionPages()),
    close: (positions) => matchPhrases(phrases, positions),
  };
}

type TermsOfSlot = { offset: number; terms: SegmentEntry[][] };

function termsOf(
  segments: readonly SegmentView[],
  slots: readonly Slot[],
  pages: PageSource,
): TermsOfSlot[] | LookupError {
  const found: TermsOfSlot[] = [];
  for (const slot of slots) {
    const entries = findEntries(segments, slot, pages);
    if ("error" in entries) return entries;
    found.push({ offset: slot.offset, terms: [...entries.values()] });
  }
  return found;
}

/** Blocks in which any of the phrases stands; the frequency is the number of places where one begins. */
function matchPhrases(phrases: readonly Phrase[], pages: PageSource): PostingList {
  const list = new PostingList(phrases.reduce((sum, phrase) => sum + phrase.candidates.size, 0));
  if (phrases.length === 1) {
    for (const hit of phrases[0]!.hits(pages)) list.push(hit.number, hit.code, hit.starts.length);
    return list;
  }
  for (const hits of together(phrases.map((phrase) => phrase.hits(pages)))) {
    const starts = new Set(hits.flatMap((hit) => hit.starts));
    list.push(hits[0]!.number, hits[0]!.code, starts.size);
  }
  return list;
}

/** The hits of several ascending streams, block by block. */
function* together(streams: readonly Generator<PhraseHit>[]): Generator<PhraseHit[]> {
  const heads = streams.map((stream) => stream.next().value as PhraseHit | undefined);
  for (;;) {
    const lowest = heads.reduce((low, hit) => Math.min(low, hit?.number ?? Infinity), Infinity);
    if (lowest === Infinity) return;
    const hits = heads.filter((hit) => hit?.number === lowest) as PhraseHit[];
    for (const [i, hit] of heads.entries()) {
      if (hit?.number === lowest) heads[i] = streams[i]!.next().value as PhraseHit | undefined;
    }
    yield hits;
  }
}
