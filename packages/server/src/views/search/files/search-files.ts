import { missingWords } from "@svc/search/best/explain-best";
import { unpackLayout } from "@svc/search/best/layout";
import type { SearchResult } from "@svc/search/query/evaluate";
import { explainer } from "@svc/search/query/explain";
import type { Query } from "@svc/search/query/query";
import type { Hit } from "@svc/search/query/result-page";
import { runSearch } from "@svc/search/query/run-search";
import { emptyIndex } from "@svc/search/segment/empty-index";
import { contextOf } from "@svc/search/snippet/context";
import { ScannedText } from "@svc/search/snippet/scanned-text";
import type { Reader } from "../../../db/database.ts";
import { pathTexts } from "../../../domain/library/documents/path-texts.ts";
import { documentUri } from "../../../domain/library/documents/represent.ts";
import { apiError } from "../../../errors.ts";
import type { ServerSecret } from "../../../http/server-secret.ts";
import { indexCaches } from "../cache/index-caches.ts";
import { readLayouts } from "../cache/layouts.ts";
import type { Conditions } from "../read/filter.ts";
import { decodePosition, encodePosition } from "../read/search-cursor.ts";
import { countersOf, countersRow, StoredIndex } from "../read/stored-index.ts";
import { acceptedFiles, type FoundPage, findPages, readPending, totalsOf } from "./file-facts.ts";
import { filesKey } from "./files-key.ts";

type Asked = {
  readonly query: Query;
  readonly mode: "topk" | "exhaustive";
  readonly limit: number;
  readonly conditions: Conditions;
  readonly cursor: string | undefined;
  /** Everything that determines the result, except the page size. */
  readonly identity: unknown;
  readonly pause: () => Promise<void> | undefined;
};

/** Searches the text and names of files in the same snapshot as everything else of the answer. */
export async function searchFiles(db: Reader, secret: ServerSecret, workspaceId: string, asked: Asked) {
  const { query, mode, limit, conditions, identity, pause } = asked;
  const key = filesKey(workspaceId);
  const [row] = await countersRow(db, { workspaceId: key });
  const counters = row ? countersOf(row) : emptyIndex;
  const { epoch } = counters;
  const position = decodePosition(secret, identity, mode, asked.cursor);
  if (position && position.epoch !== epoch)
    throw apiError("search_cursor_stale", { hint: "Search again without a cursor." });
  const accepted = await acceptedFiles(db, workspaceId, conditions.sql, pause);
  const request = {
    mode,
    limit,
    accepts: (number: number) => accepted.has(number),
    ...(db.audience !== undefined && { audience: await audienceOf(db, workspaceId, pause) }),
    ...position,
    layouts: (documents: readonly number[]) => layoutsOf(db, key, documents),
  };
  const index = new StoredIndex(db, key, epoch);
  const result = await runSearch(index, indexCaches, query, counters, request, pause);
  if ("error" in result) return result;
  return {
    query,
    result,
    hits: await showFileHits(db, workspaceId, query, result),
    pending: await readPending(db, workspaceId, conditions.sql),
    /** The cursor behind the first `count` hits. */
    after: (count: number) =>
      encodePosition(secret, identity, mode, epoch, {
        ...result,
        hits: result.hits.slice(0, count),
        more: result.more || count < result.hits.length,
      }),
  };
}

/** The statistics of a reader who does not see every file. */
async function audienceOf(db: Reader, workspaceId: string, pause: Asked["pause"]) {
  const seen = await acceptedFiles(db, workspaceId, [], pause);
  return { shows: (number: number) => seen.has(number), ...(await totalsOf(db, workspaceId, seen)) };
}

const layoutsOf = async (db: Reader, key: string, documents: readonly number[]) =>
  new Map([...(await readLayouts(db, key, documents))].map(([number, { layout }]) => [number, unpackLayout(layout)]));

/** A hit with the JSON of its `SearchHit`. */
export type WrittenHit = { readonly hit: Hit; readonly json: string };
/** The same with what it was written from. */
type FileHit = WrittenHit & { readonly page: FoundPage; readonly path: string };

async function showFileHits(
  db: Reader,
  workspaceId: string,
  query: Query,
  { hits, statistics }: SearchResult,
): Promise<FileHit[]> {
  const found = await findPages(
    db,
    workspaceId,
    hits.map(({ number }) => number),
  );
  const pathOf = await pathTexts(
    db,
    workspaceId,
    [...found.values()].map(({ document }) => document),
  );
  const explain = explainer(query, statistics);
  return hits.flatMap((hit) => {
    const page = found.get(hit.number);
    if (!page) return [];
    const path = pathOf(page.document);
    const shown = JSON.stringify(fileHit(query, hit, page, path));
    return [{ hit, page, path, json: `${shown.slice(0, -1)},"explanation":${explain(hit)}}` }];
  });
}

function fileHit(query: Query, hit: Hit, { file, document, page, label, text }: FoundPage, path: string) {
  const { id, title, knowledge_base_id, folder_id, document_type } = document;
  return {
    ...{ document_id: id, title, knowledge_base_id, folder_id, document_type, block_id: null },
    ...{ attachment_id: file.id, file_name: file.file_name, page },
    document_uri: documentUri(id),
    path_text: path,
    heading_path: label === null ? [] : [label],
    matched_in: page === null ? "file_name" : "file",
    context: contextOf(new ScannedText(text), query),
    missing: query.match === "best" ? missingWords(query, hit) : [],
    ...{ source_version: file.sha256, indexed_version: file.sha256, freshness: "current" },
    updated_at: file.created_at,
    score: hit.score,
  };
}
