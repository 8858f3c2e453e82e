import { PostingList } from "../segment/posting-list.ts";
import type { PageSource, SegmentView } from "../segment/segment-view.ts";
import type { PageKey } from "../segment/store-port.ts";
import { TermPostings } from "../segment/term-postings.ts";
import { uniteTerms } from "../segment/unite.ts";
import type { TermSource } from "./lookup.ts";
import { Phrase, type PhraseSlot } from "./phrase.ts";
import type { Slot, Unit } from "./query.ts";

/** A unit in one segment with its terms read. Phrases wait for their position pages. */
export type OpenUnit = { readonly positionPages: readonly PageKey[]; close(pages: PageSource): PostingList };

export function openUnit(segment: SegmentView, unit: Unit, terms: TermSource): OpenUnit {
  const { stamp, dead } = segment;
  const alive = (list: PostingList): PostingList => terms.cache.alive(stamp, unit, list, dead);
  const known = terms.cache.unit(stamp, unit);
  if (known) return closed(alive(known));
  const keep = (list: PostingList): PostingList => {
    terms.cache.putUnit(stamp, unit, list);
    return alive(list);
  };
  const [first] = unit.slots;
  if (unit.slots.length === 1) return closed(keep(listOf(segment, first!, terms)));
  const slots = unit.slots.map((slot) => phraseSlot(segment, slot, terms));
  if (slots.some((slot) => slot.terms.length === 0)) return closed(keep(nothing));
  const phrase = new Phrase(slots, segment.id);
  return { positionPages: phrase.positionPages(), close: (pages) => keep(phrase.match(pages)) };
}

const nothing = new PostingList(0);
const closed = (list: PostingList): OpenUnit => ({ positionPages: [], close: () => list });

const listOf = (segment: SegmentView, slot: Slot, terms: TermSource): PostingList =>
  slot.prefix ? uniteTerms(terms.prefixed(segment, slot).values()) : terms.exact(segment, slot).list;

function phraseSlot(segment: SegmentView, slot: Slot, terms: TermSource): PhraseSlot {
  const { offset } = slot;
  if (slot.prefix) {
    const found = [...terms.prefixed(segment, slot).values()];
    return { offset, terms: found.map((entries) => new TermPostings(entries)) };
  }
  const postings = terms.exact(segment, slot);
  return { offset, terms: postings.list.size === 0 ? [] : [postings] };
}
