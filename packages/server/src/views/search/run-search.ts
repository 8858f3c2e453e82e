import { evaluate, openQuery, type SearchRequest, type SearchResult } from "./evaluate.ts";
import { type LookupError, type PageSource, termPagesNeeded } from "./lookup.ts";
import type { Query } from "./query.ts";
import { pageName, type SegmentCache, type SegmentParts } from "./segment-cache.ts";
import { segmentViews } from "./segment-view.ts";
import type { Counters, PageKey, SearchReads } from "./store-port.ts";

/** Everything but the counters, which are read in the same snapshot as the segments. */
export type StoredSearchRequest = Omit<SearchRequest, "n" | "totalLength">;

/** Runs a query on stored segments: manifest, term pages in one go, position pages in one go if needed. */
export async function runSearch(
  store: Omit<SearchReads, "readCounters">,
  cache: SegmentCache,
  query: Query,
  counters: Counters,
  request: StoredSearchRequest,
): Promise<SearchResult | LookupError> {
  const rows = await store.readSegments();
  const parts = new Map<number, SegmentParts>();
  for (const row of rows) if (row.blocks > 0) parts.set(row.id, await cache.parts(row, store));
  const segments = segmentViews(rows, parts);
  const pages = new FetchedPages(parts, cache);
  const needed = termPagesNeeded(segments, query);
  if ("error" in needed) return needed;
  await pages.fetch(store, needed);
  const open = openQuery(segments, query, pages);
  if ("error" in open) return open;
  await pages.fetch(store, open.positionPages);
  return evaluate(open, pages, { ...request, n: counters.blocks, totalLength: counters.totalLength });
}

class FetchedPages implements PageSource {
  private readonly parts: ReadonlyMap<number, SegmentParts>;
  private readonly cache: SegmentCache;
  private readonly fetched = new Map<string, Uint8Array>();

  constructor(parts: ReadonlyMap<number, SegmentParts>, cache: SegmentCache) {
    this.parts = parts;
    this.cache = cache;
  }

  async fetch(store: Pick<SearchReads, "readPages">, keys: readonly PageKey[]): Promise<void> {
    const missing = keys.filter((key) => !this.parts.get(key.segment)!.pages && !this.isKnown(key));
    if (missing.length === 0) return;
    const bytes = await store.readPages(missing);
    for (const [i, key] of missing.entries()) {
      this.fetched.set(fetchedName(key), bytes[i]!);
      this.cache.pages.set(this.lastingName(key), bytes[i]!, bytes[i]!.length);
    }
  }

  page(segment: number, kind: PageKey["kind"], number: number): Uint8Array {
    const small = this.parts.get(segment)!.pages;
    return small ? small.get(pageName(kind, number))! : this.fetched.get(fetchedName({ segment, kind, number }))!;
  }

  private isKnown(key: PageKey): boolean {
    const page = this.cache.pages.get(this.lastingName(key));
    if (page) this.fetched.set(fetchedName(key), page);
    return page !== undefined;
  }

  private lastingName({ segment, kind, number }: PageKey): string {
    return `${this.parts.get(segment)!.stamp}/${pageName(kind, number)}`;
  }
}

const fetchedName = ({ segment, kind, number }: PageKey): string => `${segment}/${pageName(kind, number)}`;
