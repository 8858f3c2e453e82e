import { classAt, isPaired } from "./characters.ts";
import type { PostingList } from "./posting-list.ts";
import { type Slot, type Unit, unitKey } from "./query.ts";
import { SegmentMemory } from "./segment-memory.ts";
import type { TermPostings } from "./term-postings.ts";

/** Bytes of what surrounds a list in memory: its objects, and its part of the pages that it refers to. */
const overhead = 1024;
const postingBytes = 12;
const bytesOf = (list: PostingList): number => overhead + list.size * postingBytes;

/** A single character of an unspaced script is looked up as a prefix too, but its pairs are few: never too broad. */
export const isTypedPrefix = (slot: Slot): boolean => slot.prefix && !isPaired(classAt(slot.term, 0));

const names = new WeakMap<Unit, string>();

/** Undefined for a plain term, and where typed prefixes have to be counted each time. */
function lastingName(unit: Unit): string | undefined {
  const { slots } = unit;
  if (slots.some(isTypedPrefix) || (slots.length === 1 && !slots[0]!.prefix)) return undefined;
  const name = names.get(unit) ?? unitKey(unit);
  names.set(unit, name);
  return name;
}

/** Lists of terms, phrases and single characters per segment, dead blocks included; empty ones too. */
export class TermMemory {
  private readonly terms: SegmentMemory<TermPostings>;
  private readonly units: SegmentMemory<PostingList>;

  constructor(maxBytes: number) {
    this.terms = new SegmentMemory(maxBytes / 2, ({ list }) => bytesOf(list));
    this.units = new SegmentMemory(maxBytes / 2, bytesOf);
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
