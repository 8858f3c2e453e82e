import { type PostingList, withoutDead } from "../segment/posting-list.ts";
import type { TermPostings } from "../segment/term-postings.ts";
import { classAt, isPaired } from "../text/characters.ts";
import type { CacheMaker, SegmentValues } from "./cache.ts";
import { type Slot, type Unit, unitKey } from "./query.ts";

/** Estimated bytes around a list: its objects, and its part of the pages that it refers to. */
const OVERHEAD_BYTES = 1024;
/** Its three columns, and what ranking computes from them (best/impacts.ts). */
const POSTING_BYTES = 16;
const bytesOf = (list: PostingList): number => OVERHEAD_BYTES + list.size * POSTING_BYTES;

/**
 * The forms of a word and a single character of an unspaced script are looked up as prefixes too, but they are never too
 * broad.
 */
export const isTypedPrefix = (slot: Slot): boolean =>
  slot.prefix && slot.forms === undefined && !isPaired(classAt(slot.term, 0));

const names = new WeakMap<Unit, string>();

function nameOf(unit: Unit): string {
  const name = names.get(unit) ?? unitKey(unit);
  names.set(unit, name);
  return name;
}

/** Undefined for a plain term, and for typed prefixes, which must be counted each time. */
function lastingName(unit: Unit): string | undefined {
  const { slots } = unit;
  const isCounted = slots.some(isTypedPrefix) || (slots.length === 1 && !slots[0]!.prefix);
  return isCounted ? undefined : nameOf(unit);
}

/** A list without the blocks that were dead at that time. */
type LivingList = { readonly dead: Uint32Array; readonly list: PostingList };

/** Filtering a shorter list takes little time. */
const LONG_LIST = 256;

/** Lists of terms, phrases and single characters per segment, dead blocks included; empty ones too. */
export class TermCache {
  readonly #terms: SegmentValues<TermPostings>;
  readonly #units: SegmentValues<PostingList>;
  readonly #living: SegmentValues<LivingList>;

  constructor(make: CacheMaker) {
    this.#terms = make.segmentValues("search_terms", ({ list }) => bytesOf(list));
    this.#units = make.segmentValues("search_phrases", bytesOf);
    this.#living = make.segmentValues("search_living", ({ list }) => bytesOf(list));
  }

  /** A unit's list without the dead blocks of its segment. A long one is cached until more of them die. */
  alive(stamp: number, unit: Unit, list: PostingList, dead: Uint32Array): PostingList {
    if (list.size < LONG_LIST || dead.length === 0) return withoutDead(list, dead);
    const name = nameOf(unit);
    const cached = this.#living.get(stamp, name);
    if (cached?.dead === dead) return cached.list;
    const left = withoutDead(list, dead);
    this.#living.put(stamp, name, { dead, list: left });
    return left;
  }

  term(stamp: number, term: string): TermPostings | undefined {
    return this.#terms.get(stamp, term);
  }

  putTerm(stamp: number, term: string, postings: TermPostings): void {
    this.#terms.put(stamp, term, postings);
  }

  unit(stamp: number, unit: Unit): PostingList | undefined {
    const name = lastingName(unit);
    return name === undefined ? undefined : this.#units.get(stamp, name);
  }

  putUnit(stamp: number, unit: Unit, list: PostingList): void {
    const name = lastingName(unit);
    if (name !== undefined) this.#units.put(stamp, name, list);
  }
}
