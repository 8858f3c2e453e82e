import { type PostingList, withoutDead } from "../segment/posting-list.ts";
import type { TermPostings } from "../segment/term-postings.ts";
import { classAt, isPaired } from "../text/characters.ts";
import { type Slot, type Unit, unitKey } from "./query.ts";
import { SegmentMemory } from "./segment-memory.ts";

/** Bytes of what surrounds a list in memory: its objects, and its part of the pages that it refers to. */
const overhead = 1024;
const postingBytes = 12;
const bytesOf = (list: PostingList): number => overhead + list.size * postingBytes;

/** A single character of an unspaced script is looked up as a prefix too, but its pairs are few: never too broad. */
export const isTypedPrefix = (slot: Slot): boolean => slot.prefix && !isPaired(classAt(slot.term, 0));

const names = new WeakMap<Unit, string>();

function nameOf(unit: Unit): string {
  const name = names.get(unit) ?? unitKey(unit);
  names.set(unit, name);
  return name;
}

/** Undefined for a plain term, and where typed prefixes have to be counted each time. */
function lastingName(unit: Unit): string | undefined {
  const { slots } = unit;
  const isCounted = slots.some(isTypedPrefix) || (slots.length === 1 && !slots[0]!.prefix);
  return isCounted ? undefined : nameOf(unit);
}

/** What is left of a list without the blocks that were dead then. */
type LivingList = { readonly dead: Uint32Array; readonly list: PostingList };

/** Shorter lists are soon rid of their dead. */
const long = 256;

/** Lists of terms, phrases and single characters per segment, dead blocks included; empty ones too. */
export class TermMemory {
  private readonly terms: SegmentMemory<TermPostings>;
  private readonly units: SegmentMemory<PostingList>;
  private readonly living: SegmentMemory<LivingList>;

  constructor(maxBytes: number) {
    this.terms = new SegmentMemory((3 / 8) * maxBytes, ({ list }) => bytesOf(list));
    this.units = new SegmentMemory((3 / 8) * maxBytes, bytesOf);
    this.living = new SegmentMemory(maxBytes / 4, ({ list }) => bytesOf(list));
  }

  /** A unit's list without the dead of its segment. A long one is kept until more of them die. */
  alive(stamp: number, unit: Unit, list: PostingList, dead: Uint32Array): PostingList {
    if (list.size < long || dead.length === 0) return withoutDead(list, dead);
    const name = nameOf(unit);
    const known = this.living.get(stamp, name);
    if (known?.dead === dead) return known.list;
    const left = withoutDead(list, dead);
    this.living.set(stamp, name, { dead, list: left });
    return left;
  }

  term(stamp: number, term: string): TermPostings | undefined {
    return this.terms.get(stamp, term);
  }

  keepTerm(stamp: number, term: string, postings: TermPostings): void {
    this.terms.set(stamp, term, postings);
  }

  unit(stamp: number, unit: Unit): PostingList | undefined {
    const name = lastingName(unit);
    return name === undefined ? undefined : this.units.get(stamp, name);
  }

  keepUnit(stamp: number, unit: Unit, list: PostingList): void {
    const name = lastingName(unit);
    if (name !== undefined) this.units.set(stamp, name, list);
  }
}
