import type { PageKind } from "./segment-format.ts";
import type { PageKey } from "./store-port.ts";

/** Pages of a segment: half of them of each kind. At 4,000 bytes each, that is two gigabytes of postings. */
const PAGES_PER_SEGMENT = 2 ** 20;
const kindCode: Record<PageKind, number> = { terms: 0, positions: 1 };

/** Combines segment, number and kind into one number, so that a list of pages is a list of keys. */
export function pageKey({ segment, kind, number }: PageKey): number {
  const within = number * 2 + kindCode[kind];
  if (within >= PAGES_PER_SEGMENT) throw new RangeError("The segment has too many pages.");
  return segment * PAGES_PER_SEGMENT + within;
}

/** Keys of all pages of a segment are from `from` up to, but not including, `to`. */
export const pageKeysOf = (segment: number): { from: number; to: number } => ({
  from: segment * PAGES_PER_SEGMENT,
  to: (segment + 1) * PAGES_PER_SEGMENT,
});

export const isTermPage = (key: number): boolean => key % 2 === 0;
