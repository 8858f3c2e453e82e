import type { Database } from "../../db/database.ts";
import { apiError, invalidRequest } from "../../errors.ts";
import { type Answer, list } from "../../http/answer.ts";
import type { Services } from "../../services.ts";
import { FactsMemory } from "./document-facts.ts";
import { conditionsOf, filterOf, readProjection } from "./filter.ts";
import { askedTitle, namedDocuments } from "./named-documents.ts";
import { readOpening } from "./opening.ts";
import { normalisedQuery, parseQuery, type Query, type QueryError } from "./query.ts";
import { representHits } from "./represent-hits.ts";
import { runSearch } from "./run-search.ts";
import type { SearchInput } from "./schema.ts";
import { decodePosition, encodePosition } from "./search-cursor.ts";
import { SearchMemory } from "./search-memory.ts";
import { slices } from "./slices.ts";
import { StoredIndex } from "./stored-index.ts";

/** What one process remembers of a database's indexes. */
interface Memories {
  readonly index: SearchMemory;
  readonly facts: FactsMemory;
}
const memories = new WeakMap<Database, Memories>();

function memoriesOf(database: Database): Memories {
  const known = memories.get(database) ?? { index: new SearchMemory(), facts: new FactsMemory() };
  memories.set(database, known);
  return known;
}

/** A search gives way to others after this long. */
const sliceMs = 4;

/** When nothing waits to be indexed. */
const complete = { complete: true, stale_count: 0, stale_document_ids: [] };

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
  const memory = memoriesOf(app.database);
  const pause = slices(sliceMs);
  return app.database.snapshot(async (db) => {
    const conditions = await conditionsOf(db, workspaceId, filter);
    const { counters, hasTranslations, hasNamesake } = await readOpening(db, workspaceId, askedTitle(input.q));
    const { epoch } = counters;
    if (position && position.epoch !== epoch)
      throw apiError("search_cursor_stale", { hint: "Search again without a cursor." });
    const takesAll = conditions.isEmpty || (conditions.skipsTargetsOnly && !hasTranslations);
    const facts = takesAll ? undefined : await memory.facts.read(db, workspaceId, counters, pause);
    const names = await namedDocuments(db, workspaceId, epoch, input.q, hasNamesake);
    const accepts = facts?.accepted(conditions.name, counters.nextDocument, conditions.accepts);
    const request = { mode, limit, ...(accepts && { accepts }), ...names, ...position };
    const index = new StoredIndex(db, workspaceId, epoch);
    const result = await runSearch(index, memory.index, query, counters, request, pause);
    if ("error" in result) throw refusal(result.error);
    return {
      hits: await representHits(db, workspaceId, query, result, { summaries: input.include_summary ?? false }),
      counts: result.counts,
      projection: counters.hasBacklog ? await readProjection(db, workspaceId, conditions, epoch) : complete,
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
