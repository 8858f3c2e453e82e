import { fromUtf8, utf8 } from "./bytes.ts";
import { classAt, isPaired } from "./characters.ts";
import type { DocumentRuns } from "./document-runs.ts";
import type { Query, Slot } from "./query.ts";
import { maxTermBytes, type PageKind } from "./segment-format.ts";
import { type Entry, PageScanner } from "./segment-reader.ts";
import type { PageKey } from "./store-port.ts";
import { beginsWith, compareTerms } from "./term-order.ts";

/** A segment as a query sees it. All but `dead` never changes and may be cached by the segment's id. */
export type SegmentView = {
  readonly id: number;
  readonly base: number;
  readonly last: number;
  /** The directory: first term of each term page. */
  readonly firstTerms: readonly string[];
  readonly runs: DocumentRuns;
  /** Removed block numbers, ascending. */
  readonly dead: Uint32Array;
};

/** Holds every page that was asked for. */
export type PageSource = { page(segment: number, kind: PageKind, number: number): Uint8Array };

export const maxExpandedTerms = 5000;
/** Pages that all typed prefixes of a query may touch together: what they read stays below a few megabytes. */
export const maxPrefixPages = 2000;
export type LookupError = { readonly error: "prefix_too_broad" };

const slotsOfQuery = (query: Query): Slot[] => [...query.required, ...query.excluded].flatMap((unit) => unit.slots);

/** A single character of an unspaced script is looked up as a prefix too, but its pairs are few: never too broad. */
const isTypedPrefix = (slot: Slot): boolean => slot.prefix && !isPaired(classAt(slot.term, 0));

/** The term pages that hold what the query asks for, each once. */
export function termPagesNeeded(segments: readonly SegmentView[], query: Query): PageKey[] | LookupError {
  const keys = new Map<string, PageKey>();
  let prefixPages = 0;
  for (const slot of slotsOfQuery(query)) {
    for (const segment of segments) {
      const [from, to] = pageRange(segment.firstTerms, slot);
      if (isTypedPrefix(slot)) prefixPages += to - from;
      if (prefixPages > maxPrefixPages) return { error: "prefix_too_broad" };
      for (let number = from; number < to; number++) {
        keys.set(`${segment.id}/${number}`, { segment: segment.id, kind: "terms", number });
      }
    }
  }
  return [...keys.values()];
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

/** An entry with the segment it comes from. */
export type SegmentEntry = { readonly segment: SegmentView; readonly entry: Entry };

/** The entries of a term, or of every term that begins with it, in ascending order per term. */
export function findEntries(
  segments: readonly SegmentView[],
  slot: Slot,
  pages: PageSource,
): Map<string, SegmentEntry[]> | LookupError {
  const found = new Map<string, SegmentEntry[]>();
  const target = utf8(slot.term);
  const term = new Uint8Array(maxTermBytes);
  for (const segment of segments) {
    const [from, to] = pageRange(segment.firstTerms, slot);
    for (let number = from; number < to; number++) {
      const scanner = new PageScanner(pages.page(segment.id, "terms", number), segment.base, term);
      collect(scanner, segment, slot, target, found);
    }
    if (isTypedPrefix(slot) && found.size > maxExpandedTerms) return { error: "prefix_too_broad" };
  }
  return found;
}

function collect(
  scanner: PageScanner,
  segment: SegmentView,
  slot: Slot,
  target: Uint8Array,
  found: Map<string, SegmentEntry[]>,
): void {
  for (let isOpen = scanner.seek(target); isOpen; isOpen = scanner.next()) {
    if (!beginsWith(scanner.term, scanner.termLength, target)) return;
    const isExact = scanner.termLength === target.length;
    if (!isExact && !slot.prefix) return;
    const term = isExact ? slot.term : fromUtf8(scanner.term.subarray(0, scanner.termLength));
    const entries = found.get(term);
    const entry = { segment, entry: scanner.entry() };
    if (entries) entries.push(entry);
    else found.set(term, [entry]);
  }
}
