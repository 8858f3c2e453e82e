import { findEntries, type LookupError, type PageSource, type SegmentView } from "./lookup.ts";
import { Phrase, type PhraseSlot } from "./phrase.ts";
import { PostingList } from "./posting-list.ts";
import type { Unit } from "./query.ts";
import type { PageKey } from "./store-port.ts";
import { uniteTerms } from "./unite.ts";

/** A unit whose terms are read. Phrases wait for their position pages. */
export type OpenUnit = { readonly positionPages: readonly PageKey[]; close(pages: PageSource): PostingList };

export function openUnit(segments: readonly SegmentView[], unit: Unit, pages: PageSource): OpenUnit | LookupError {
  const slots: PhraseSlot[] = [];
  for (const slot of unit.slots) {
    const entries = findEntries(segments, slot, pages);
    if ("error" in entries) return entries;
    if (entries.size === 0) return { positionPages: [], close: () => new PostingList(0) };
    slots.push({ offset: slot.offset, terms: [...entries.values()] });
  }
  if (slots.length === 1) {
    const list = uniteTerms(slots[0]!.terms);
    return { positionPages: [], close: () => list };
  }
  const phrase = new Phrase(slots, segments);
  return { positionPages: phrase.positionPages(), close: (positions) => phrase.match(positions) };
}
