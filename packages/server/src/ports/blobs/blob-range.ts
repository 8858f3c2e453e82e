import { type BlobRange, BlobRangeInvalid } from "./blob-store.ts";

/** The first and last byte to send. `last < first` only for an empty blob requested whole. */
export function resolveRange(range: BlobRange, size: number): { first: number; last: number } {
  const first = range.start ?? 0;
  const last = Math.min(range.end ?? size - 1, size - 1);
  const isWhole = range.start === undefined && range.end === undefined;
  if (!isWhole && (first < 0 || first >= size || last < first)) throw new BlobRangeInvalid(size);
  return { first, last };
}
