import { fromUtf8, utf8 } from "../segment/bytes.ts";
import { MAX_TERM_BYTES } from "../segment/segment-format.ts";
import { type Entry, PageScanner } from "../segment/segment-reader.ts";
import type { PageSource, SegmentView } from "../segment/segment-view.ts";
import type { PageKey } from "../segment/store-port.ts";
import { beginsWith, compareTerms } from "../segment/term-order.ts";
import { TermPostings } from "../segment/term-postings.ts";
import type { Query, Slot } from "./query.ts";
import { isTypedPrefix, type TermCache } from "./term-cache.ts";

const MAX_EXPANDED_TERMS = 5000;
/** The number of pages that all typed prefixes of a query may read together: a few megabytes at most. */
export const MAX_PREFIX_PAGES = 2000;
export type LookupError = { readonly error: "prefix_too_broad" };

/** Returns the term pages that the query needs and `cache` does not have, each once. */
export function termPagesNeeded(
  segments: readonly SegmentView[],
  query: Query,
  cache?: TermCache,
): PageKey[] | LookupError {
  const keys: PageKey[] = [];
  const seen = new Set<number>();
  let prefixPages = 0;
  for (const segment of segments) {
    seen.clear();
    for (const slot of slotsWanted(segment, query, cache)) {
      const [from, to] = pageRange(segment.firstTerms, slot);
      if (isTypedPrefix(slot)) prefixPages += to - from;
      if (prefixPages > MAX_PREFIX_PAGES) return { error: "prefix_too_broad" };
      for (let number = from; number < to; number++) {
        if (seen.has(number)) continue;
        seen.add(number);
        keys.push({ segment: segment.id, kind: "terms", number });
      }
    }
  }
  return keys;
}

function slotsWanted({ stamp }: SegmentView, query: Query, cache: TermCache | undefined): Slot[] {
  const wanted: Slot[] = [];
  for (const units of [query.required, query.excluded])
    for (const unit of units) {
      if (cache?.unit(stamp, unit)) continue;
      for (const slot of unit.slots) if (slot.prefix || !cache?.term(stamp, slot.term)) wanted.push(slot);
    }
  return wanted;
}

/** Pages from the last one that begins before the term to the last one that does not begin after it. */
function pageRange(firstTerms: readonly string[], slot: Slot): [from: number, to: number] {
  const from = firstAtLeast(firstTerms, (first) => compareTerms(first, slot.term) >= 0);
  const to = firstAtLeast(firstTerms, (first) => isPast(first, slot));
  return [Math.min(Math.max(from - 1, 0), to), to];
}

const isPast = (term: string, slot: Slot): boolean =>
  compareTerms(term, slot.term) > 0 && !(slot.prefix && term.startsWith(slot.term));

function firstAtLeast(terms: readonly string[], holds: (term: string) => boolean): number {
  let low = 0;
  let high = terms.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(terms[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Finds the terms of a query in one segment after the other; `pages` contains the pages that `termPagesNeeded`
 * returned.
 */
export class TermSource {
  readonly #pages: PageSource;
  readonly cache: TermCache;
  readonly #expanded = new Map<Slot, Set<string>>();
  /** A typed prefix has more terms than the limit. */
  isTooBroad = false;

  constructor(pages: PageSource, cache: TermCache) {
    this.#pages = pages;
    this.cache = cache;
  }

  exact(segment: SegmentView, slot: Slot): TermPostings {
    const known = this.cache.term(segment.stamp, slot.term);
    if (known) return known;
    const entries = this.#collect(segment, slot).get(slot.term);
    const postings = entries ? new TermPostings(entries) : nowhere;
    this.cache.putTerm(segment.stamp, slot.term, postings);
    return postings;
  }

  /** The entries of every term with the slot's prefix, by term. */
  prefixed(segment: SegmentView, slot: Slot): Map<string, Entry[]> {
    const found = this.#collect(segment, slot);
    const { forms } = slot;
    if (forms) for (const term of found.keys()) if (!forms.has(term)) found.delete(term);
    if (!isTypedPrefix(slot)) return found;
    const all = this.#expanded.get(slot) ?? new Set<string>();
    this.#expanded.set(slot, all);
    for (const term of found.keys()) all.add(term);
    this.isTooBroad ||= all.size > MAX_EXPANDED_TERMS;
    return found;
  }

  #collect(segment: SegmentView, slot: Slot): Map<string, Entry[]> {
    const found = new Map<string, Entry[]>();
    const target = utf8(slot.term);
    const [from, to] = pageRange(segment.firstTerms, slot);
    for (let number = from; number < to; number++) {
      const scanner = new PageScanner(this.#pages.page(segment.id, "terms", number), segment.base, scanned);
      collect(scanner, slot, target, found);
    }
    return found;
  }
}

const nowhere = new TermPostings([]);
/** A scanner's current term. One buffer is enough, because no scanner is used across a pause. */
const scanned = new Uint8Array(MAX_TERM_BYTES);

function collect(scanner: PageScanner, slot: Slot, target: Uint8Array, found: Map<string, Entry[]>): void {
  for (let isOpen = scanner.seek(target); isOpen; isOpen = scanner.next()) {
    if (!beginsWith(scanner.term, scanner.termLength, target)) return;
    const isExact = scanner.termLength === target.length;
    if (!isExact && !slot.prefix) return;
    const term = isExact ? slot.term : fromUtf8(scanner.term.subarray(0, scanner.termLength));
    const entries = found.get(term);
    if (entries) entries.push(scanner.entry());
    else found.set(term, [scanner.entry()]);
  }
}
