import { groupPage } from "../best/group.ts";
import { bestPage, type LayoutReader } from "../best/rank.ts";
import { functionWordsOf } from "../best/weights.ts";
import { pageName } from "../segment/segment-cache.ts";
import type { PageSource } from "../segment/segment-view.ts";
import type { Counters, PageKey, SearchReads } from "../segment/store-port.ts";
import { evaluate, openQuery, pageOf, type SearchRequest, type SearchResult } from "./evaluate.ts";
import type { Evaluation, Pause } from "./evaluation.ts";
import { type IndexCaches, type IndexState, lastingName } from "./index-caches.ts";
import { type LookupError, TermSource, termPagesNeeded } from "./lookup.ts";
import type { Query } from "./query.ts";

/** A request without the counters, which are read in the same snapshot as the segments. */
export type StoredSearchRequest = Omit<SearchRequest, "n" | "totalLength" | "nextDocument" | "shows" | "onlyBest"> & {
  /** Equal for requests that match the same blocks of an unchanged index. Without it nothing is cached. */
  readonly name?: string;
  /** The view of a reader who does not see every document; the counters cover all documents. */
  readonly audience?: Required<Pick<SearchRequest, "shows" | "n" | "totalLength">>;
  /** Needed for the best hits of a query that matches any of its words. */
  readonly layouts?: LayoutReader;
  /** Pages of documents instead of hits. */
  readonly groups?: boolean;
};

const NEVER: Pause = () => undefined;

/** Runs a query on stored segments. The next page of an unchanged index uses the matches of the first. */
export async function runSearch(
  store: SearchReads,
  caches: IndexCaches,
  query: Query,
  counters: Counters,
  request: StoredSearchRequest,
  pause: Pause = NEVER,
): Promise<SearchResult | LookupError> {
  const onlyBest = query.match === "best" && request.mode === "topk" && request.layouts !== undefined;
  const name = onlyBest && request.name !== undefined ? `${request.name} best` : request.name;
  const cached = name === undefined ? undefined : caches.evaluations.get(store.workspaceId, name, counters.stamp);
  const found = cached ?? (await evaluateStored(store, caches, query, counters, { ...request, onlyBest }, pause));
  if ("error" in found) return found;
  if (!cached && name !== undefined) caches.evaluations.put(store.workspaceId, name, counters.stamp, found);
  const { layouts } = request;
  if (!onlyBest || !layouts) return pageOf(found, request);
  const best = { ...request, layouts, functionWords: functionWordsOf(query) };
  const rest = { counts: found.counts, statistics: request.frozen ?? found.statistics };
  if (!request.groups) return { ...(await bestPage(found, best, pause)), ...rest };
  const { groups, more } = await groupPage(found, best, pause);
  return { groups, hits: groups.flatMap(({ hits }) => hits), more, ...rest };
}

/** The uncached term pages are read at once, and so are the position pages. */
async function evaluateStored(
  store: SearchReads,
  caches: IndexCaches,
  query: Query,
  counters: Counters,
  request: StoredSearchRequest & Pick<SearchRequest, "onlyBest">,
  pause: Pause,
): Promise<Evaluation | LookupError> {
  const state = await caches.state(store, counters);
  const pages = new FetchedPages(state, caches);
  const needed = termPagesNeeded(state.segments, query, caches.terms);
  if ("error" in needed) return needed;
  await pages.fetch(store, needed);
  const open = await openQuery(state.segments, query, new TermSource(pages, caches.terms), pause);
  if ("error" in open) return open;
  await pages.fetch(store, open.positionPages);
  const accepts = acceptedBy(state, request.accepts);
  const { blocks: n, totalLength, nextDocument } = counters;
  const seen = { ...request, ...(accepts && { accepts }), n, totalLength, nextDocument, ...request.audience };
  return evaluate(open, pages, seen, pause);
}

function acceptedBy({ hidden }: IndexState, accepts: SearchRequest["accepts"]): SearchRequest["accepts"] {
  if (hidden.size === 0) return accepts;
  return (document) => !hidden.has(document) && (accepts === undefined || accepts(document));
}

/** The pages of one query. */
class FetchedPages implements PageSource {
  readonly #state: IndexState;
  readonly #caches: IndexCaches;
  readonly #fetched = new Map<string, Uint8Array>();

  constructor(state: IndexState, caches: IndexCaches) {
    this.#state = state;
    this.#caches = caches;
  }

  async fetch(store: Pick<SearchReads, "readPages">, keys: readonly PageKey[]): Promise<void> {
    const missing = keys.filter((key) => !this.#isCached(key));
    if (missing.length === 0) return;
    const bytes = await store.readPages(missing);
    for (const [i, key] of missing.entries()) {
      this.#fetched.set(fetchedName(key), bytes[i]!);
      this.#caches.pages.put(this.#lastingName(key), bytes[i]!, bytes[i]!.length);
    }
  }

  page(segment: number, kind: PageKey["kind"], number: number): Uint8Array {
    const small = this.#state.parts.get(segment)!.pages;
    return small ? small.get(pageName(kind, number))! : this.#fetched.get(fetchedName({ segment, kind, number }))!;
  }

  #isCached(key: PageKey): boolean {
    if (this.#state.parts.get(key.segment)!.pages) return true;
    const page = this.#caches.pages.get(this.#lastingName(key));
    if (page) this.#fetched.set(fetchedName(key), page);
    return page !== undefined;
  }

  #lastingName(key: PageKey): string {
    return lastingName(this.#state.parts.get(key.segment)!.stamp, key);
  }
}

const fetchedName = ({ segment, kind, number }: PageKey): string => `${segment}/${pageName(kind, number)}`;
