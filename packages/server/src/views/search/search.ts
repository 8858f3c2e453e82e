import { normalisedQuery, parseBestQuery, parseQuery, type Query, type QueryError } from "@svc/search/query/query";
import { runSearch } from "@svc/search/query/run-search";
import { keyOf } from "../../cache/key-of.ts";
import { WeakCache } from "../../cache/weak-cache.ts";
import type { Database } from "../../db/database.ts";
import { isWriterWaiting } from "../../db/transaction/yield-to-writers.ts";
import { apiError, invalidRequest } from "../../errors.ts";
import { type Answer, list } from "../../http/answer.ts";
import type { Services } from "../../services.ts";
import { slices } from "./background/slices.ts";
import { AnsweredPages, type AnsweredPath } from "./cache/answered-pages.ts";
import { FactsCache } from "./cache/document-facts.ts";
import { FoundBlocks } from "./cache/found-blocks.ts";
import { indexCaches } from "./cache/index-caches.ts";
import { LayoutCache } from "./cache/layouts.ts";
import { stateOf } from "./cache/workspace-state.ts";
import { conditionsOf, filterOf, readProjection } from "./read/filter.ts";
import { Lane } from "./read/lane.ts";
import { languagesOf } from "./read/languages.ts";
import { askedTitle, namedDocuments } from "./read/named-documents.ts";
import { readOpening } from "./read/opening.ts";
import { type ShownHit, showHits, writeGroups, writeHits } from "./read/represent-hits.ts";
import { decodePosition, encodePosition } from "./read/search-cursor.ts";
import { StoredIndex } from "./read/stored-index.ts";
import type { SearchInput } from "./schema.ts";

/** The caches of one process for one database, beside its indexes. */
class DatabaseCaches {
  readonly facts: FactsCache;
  readonly blocks: FoundBlocks;
  readonly pages: AnsweredPages;
  readonly layouts: LayoutCache;

  constructor(database: Database) {
    const key = keyOf(database);
    this.facts = new FactsCache(key);
    this.blocks = new FoundBlocks(key);
    this.pages = new AnsweredPages(key);
    this.layouts = new LayoutCache(key);
  }
}
const DATABASES = new WeakCache<Database, DatabaseCaches>("search_databases");

const cachesOf = (database: Database): DatabaseCaches =>
  DATABASES.getOrMake(database, () => new DatabaseCaches(database));

/** Shared by all searches of the process, with how long one runs before it yields. */
export const lane = new Lane(0.25, isWriterWaiting);
export const SLICE_MS = 0.5;

/** How much of the index is up to date. */
export type Projection = {
  readonly complete: boolean;
  readonly stale_count: number;
  readonly stale_document_ids: readonly string[];
};

/** The answer if no document waits to be indexed. */
export const complete: Projection = { complete: true, stale_count: 0, stale_document_ids: [] };

const reasons: Record<QueryError["error"] | "prefix_too_broad", string> = {
  empty: "must contain a word to look for",
  too_long: "must be at most 512 characters",
  too_many_terms: "must be at most 32 terms",
  prefix_too_broad: "has a prefix that too many words begin with",
};
export const refusal = (error: keyof typeof reasons) => invalidRequest("query.q", reasons[error]);

export function parsed(query: Query | QueryError): Query {
  if ("error" in query) throw refusal(query.error);
  return query;
}

const DOCUMENTS_A_PAGE = 10;

/** `partial` is the older name of `match=best`. */
export function matchOf({ match, mode, partial, group_by }: SearchInput): "best" | "all" {
  const matched = match ?? (partial || mode !== "exhaustive" ? "best" : "all");
  if (group_by && (matched === "all" || mode === "exhaustive"))
    throw invalidRequest("query.group_by", "needs match=best and mode=topk");
  return matched;
}

/** The route of the request: a cursor works only for the route that returned it. */
type Asked = "search" | "search_v2";

export async function search(app: Services, workspaceId: string, input: SearchInput, asked: Asked = "search_v2") {
  await lane.enter();
  try {
    return await searchNow(app, workspaceId, input, asked);
  } finally {
    lane.leave();
  }
}

/** Runs a query in one snapshot of the store, so that hits, counts, freshness and texts belong together. */
async function searchNow(
  app: Pick<Services, "database" | "secret">,
  workspaceId: string,
  input: SearchInput,
  asked: Asked,
) {
  const plain = parsed(parseQuery(input.q));
  const { mode = "topk", group_by } = input;
  const { limit = group_by ? DOCUMENTS_A_PAGE : 20 } = input;
  const filter = filterOf(input);
  const caches = cachesOf(app.database);
  const isBest = asked === "search_v2" && matchOf(input) === "best";
  const pause = slices(SLICE_MS, () => lane.giveWay());
  return app.database.snapshot(async (db) => {
    const conditions = await conditionsOf(db, workspaceId, filter);
    const opening = await readOpening(db, workspaceId, askedTitle(input.q));
    const { counters, hasTranslations, hasNamesake } = opening;
    const { epoch } = counters;
    const languages = isBest ? await languagesOf(db, workspaceId, hasTranslations) : [];
    const query = isBest ? parsed(parseBestQuery(input.q, languages)) : plain;
    const queryName = normalisedQuery(query);
    const extra = [...(asked === "search" ? [asked] : []), ...(group_by ? [group_by] : [])];
    const identity = [workspaceId, queryName, mode, filter, ...extra];
    const position = decodePosition(app.secret, identity, mode, input.cursor);
    if (position && position.epoch !== epoch)
      throw apiError("search_cursor_stale", { hint: "Search again without a cursor." });
    const seesAll = db.audience === undefined;
    const takesAll = seesAll && (conditions.isEmpty || (conditions.skipsTargetsOnly && !hasTranslations));
    const facts = takesAll ? undefined : await caches.facts.read(db, workspaceId, opening, pause);
    const names = await namedDocuments(db, workspaceId, epoch, input.q, hasNamesake);
    const accepts = facts?.accepted(conditions.name, counters.nextDocument, conditions.accepts);
    const name =
      !facts && names.named.length === 0
        ? queryName
        : JSON.stringify([queryName, facts?.id, conditions.name, names.named]);
    const audience =
      facts && !seesAll ? { shows: (number: number) => facts.get(number) !== undefined, ...facts.totals } : undefined;
    const request = {
      name,
      mode,
      limit,
      ...(accepts && { accepts }),
      ...(audience && { audience }),
      ...names,
      ...position,
      ...(isBest && { layouts: await caches.layouts.reader(db, workspaceId, opening) }),
      ...(group_by && { groups: true }),
    };
    const index = new StoredIndex(db, workspaceId, epoch);
    const result = await runSearch(index, indexCaches, query, counters, request, pause);
    if ("error" in result) throw refusal(result.error);
    const options = { summaries: input.include_summary ?? false };
    return {
      query,
      result,
      state: stateOf(opening),
      hits: await showHits(db, workspaceId, caches.blocks, opening, query, result.hits, options),
      projection: counters.hasBacklog ? await readProjection(db, workspaceId, conditions, epoch) : complete,
      next: encodePosition(app.secret, identity, mode, epoch, result),
      /** The cursor behind the first `count` hits of the page. */
      after: (count: number) =>
        encodePosition(app.secret, identity, mode, epoch, {
          ...result,
          hits: result.hits.slice(0, count),
          more: result.more || count < result.hits.length,
        }),
    };
  });
}

export async function searchPage(app: Services, workspaceId: string, input: SearchInput): Promise<Answer> {
  const { pages } = cachesOf(app.database);
  const cached = await pages.find(app.database.read, workspaceId, input);
  if (cached) return cached;
  const { query, result, state, hits, projection, next } = await search(app, workspaceId, input);
  const write = result.groups ? writeGroups : writeHits;
  const envelope = { page: pageFrom(input, next), hits: result.counts, projection };
  const answer = { dataJson: write(query, hits, result), envelope };
  if (projection === complete) pages.put(workspaceId, state, input, () => ({ answer, places: hits.map(answeredPath) }));
  return answer;
}

const answeredPath = ({ block, path }: ShownHit): AnsweredPath => ({ place: block.document.row, path });

/** Returns only block ids and excerpts. */
export async function simplePage(app: Services, workspaceId: string, input: SearchInput): Promise<Answer> {
  const { hits, next } = await search(app, workspaceId, input, "search");
  const data = hits.map(({ block: { document, blockId }, context }) => ({
    document_id: document.row.id,
    block_id: blockId === "" ? null : blockId,
    excerpt: context.before + context.match + context.after,
  }));
  return list(data, pageFrom(input, next));
}

export const pageFrom = ({ cursor }: SearchInput, next: string | null) => ({
  cursor: cursor ?? null,
  next_cursor: next,
  has_more: next !== null,
});
