import type { Database } from "../../db/database.ts";
import { apiError, invalidRequest } from "../../errors.ts";
import { type Answer, list } from "../../http/answer.ts";
import type { Services } from "../../services.ts";
import { acceptedDocuments, conditionsOf, filterOf, readProjection } from "./filter.ts";
import { namedDocuments } from "./named-documents.ts";
import { normalisedQuery, parseQuery, type Query, type QueryError } from "./query.ts";
import { representHits } from "./represent-hits.ts";
import { runSearch } from "./run-search.ts";
import type { SearchInput } from "./schema.ts";
import { decodePosition, encodePosition } from "./search-cursor.ts";
import { SegmentCache } from "./segment-cache.ts";
import { StoredIndex } from "./stored-index.ts";

const caches = new WeakMap<Database, SegmentCache>();

function cacheOf(database: Database): SegmentCache {
  const cache = caches.get(database) ?? new SegmentCache();
  caches.set(database, cache);
  return cache;
}

const reasons: Record<QueryError["error"] | "prefix_too_broad", string> = {
  empty: "must contain a word to look for",
  too_long: "must be at most 512 characters",
  too_many_terms: "must be at most 32 terms",
  prefix_too_broad: "has a prefix that too many words begin with",
};
const refusal = (error: keyof typeof reasons) => invalidRequest("query.q", reasons[error]);

function parsed(text: string): Query {
  const query = parseQuery(text);
  if ("error" in query) throw refusal(query.error);
  return query;
}

/** Runs a query in one snapshot of the store: hits, counts, freshness and texts belong together. */
export async function search(app: Services, workspaceId: string, input: SearchInput) {
  const query = parsed(input.q);
  const { mode = "topk", limit = 20 } = input;
  const filter = filterOf(input);
  const identity = [workspaceId, normalisedQuery(query), mode, filter];
  const position = decodePosition(app.secret, identity, mode, input.cursor);
  return app.database.snapshot(async (db) => {
    const conditions = await conditionsOf(db, workspaceId, filter);
    const index = new StoredIndex(db, workspaceId);
    const counters = await index.readCounters();
    const { epoch } = counters;
    if (position && position.epoch !== epoch)
      throw apiError("search_cursor_stale", { hint: "Search again without a cursor." });
    const accepts = await acceptedDocuments(db, workspaceId, conditions);
    const names = await namedDocuments(db, workspaceId, epoch, input.q);
    const request = { mode, limit, ...(accepts && { accepts }), ...names, ...position };
    const result = await runSearch(index, cacheOf(app.database), query, counters, request);
    if ("error" in result) throw refusal(result.error);
    return {
      hits: await representHits(db, workspaceId, query, result, { summaries: input.include_summary ?? false }),
      counts: result.counts,
      projection: await readProjection(db, workspaceId, conditions, epoch),
      next: encodePosition(app.secret, identity, mode, epoch, result),
    };
  });
}

export async function searchPage(app: Services, workspaceId: string, input: SearchInput): Promise<Answer> {
  const { hits, counts, projection, next } = await search(app, workspaceId, input);
  return list(hits, pageFrom(input, next), { hits: counts, projection });
}

/** Block ids and excerpts alone. */
export async function simplePage(app: Services, workspaceId: string, input: SearchInput): Promise<Answer> {
  const { hits, next } = await search(app, workspaceId, input);
  const data = hits.map(({ document_id, block_id, context }) => ({
    document_id,
    block_id,
    excerpt: context.before + context.match + context.after,
  }));
  return list(data, pageFrom(input, next));
}

const pageFrom = ({ cursor }: SearchInput, next: string | null) => ({
  cursor: cursor ?? null,
  next_cursor: next,
  has_more: next !== null,
});
