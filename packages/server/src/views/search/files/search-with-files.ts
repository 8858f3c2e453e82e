import { hash } from "node:crypto";
import { parseBestQuery, parseQuery } from "@svc/search/query/query";
import { apiError, invalidRequest } from "../../../errors.ts";
import type { Answer } from "../../../http/answer.ts";
import { decodeCursor, encodeCursor } from "../../../http/cursor.ts";
import type { Services } from "../../../services.ts";
import { slices } from "../background/slices.ts";
import { conditionsOf, filterOf } from "../read/filter.ts";
import { languagesOf } from "../read/languages.ts";
import { writeHits } from "../read/represent-hits.ts";
import type { SearchInput } from "../schema.ts";
import { complete, lane, matchOf, type Projection, pageFrom, parsed, refusal, SLICE_MS, search } from "../search.ts";
import { mergeRanked } from "./merge-ranked.ts";
import { searchFiles, type WrittenHit } from "./search-files.ts";

/** Answers a search of files, of sources, or of everything. */
export async function searchOtherTypes(app: Services, workspaceId: string, input: SearchInput): Promise<Answer> {
  if (input.group_by) throw invalidRequest("query.group_by", "needs type=document");
  if (input.type === "source") return noSources(app, workspaceId, input);
  return input.type === "file" ? searchOnlyFiles(app, workspaceId, input) : searchAll(app, workspaceId, input);
}

/** No workspace has sources yet. */
async function noSources(app: Services, workspaceId: string, input: SearchInput): Promise<Answer> {
  parsed(parseQuery(input.q));
  await conditionsOf(app.database.read, workspaceId, filterOf(input));
  const hits = { total: 0, all_words: 0, documents: 0, content: 0, title: 0 };
  return { dataJson: "[]", envelope: { page: pageFrom(input, null), hits, projection: complete } };
}

export async function filesOf(app: Services, workspaceId: string, input: SearchInput, cursor: string | undefined) {
  const plain = parsed(parseQuery(input.q));
  const isBest = matchOf(input) === "best";
  const { mode = "topk", limit = 20 } = input;
  const { cursor: _, limit: __, ...asked } = input;
  await lane.enter();
  try {
    const pause = slices(SLICE_MS, () => lane.giveWay());
    const found = await app.database.snapshot(async (db) => {
      const conditions = await conditionsOf(db, workspaceId, filterOf(input));
      // A file is in any language of the workspace.
      const query = isBest ? parsed(parseBestQuery(input.q, await languagesOf(db, workspaceId, true))) : plain;
      const identity = [workspaceId, "files", asked];
      const request = { query, mode, limit, conditions, cursor, identity, pause };
      return searchFiles(db, app.secret, workspaceId, request);
    });
    if ("error" in found) throw refusal(found.error);
    return { ...found, pending: app.config.fileText === "on" ? found.pending : complete };
  } finally {
    lane.leave();
  }
}

const jsonOf = (hits: readonly Pick<WrittenHit, "json">[]): string => `[${hits.map(({ json }) => json).join(",")}]`;

async function searchOnlyFiles(app: Services, workspaceId: string, input: SearchInput): Promise<Answer> {
  const { result, hits, pending, after } = await filesOf(app, workspaceId, input, input.cursor);
  const page = pageFrom(input, after(result.hits.length));
  return { dataJson: jsonOf(hits), envelope: { page, hits: result.counts, projection: pending } };
}

/** The positions in both results: empty at the beginning, null at the end. */
type Positions = { readonly documents: string | null; readonly files: string | null };

/** Merges a page of documents and one of files: by score, or with `exhaustive` documents first. */
async function searchAll(app: Services, workspaceId: string, input: SearchInput): Promise<Answer> {
  const { limit = 20, mode = "topk" } = input;
  const { cursor: _, limit: __, ...identity } = input;
  const at = decodePositions(app, workspaceId, identity, input.cursor);
  const documents = await search(app, workspaceId, { ...input, limit, cursor: at.documents || undefined });
  const files = await filesOf(app, workspaceId, input, at.files || undefined);
  const shown = at.documents === null ? [] : documents.hits;
  const written: unknown[] = JSON.parse(writeHits(documents.query, shown, documents.result));
  const pages: Candidate[] = shown.map(({ hit }, i) => ({ hit, json: JSON.stringify(written[i]), isFile: false }));
  const inFiles: Candidate[] = (at.files === null ? [] : files.hits).map((hit) => ({ ...hit, isFile: true }));
  const page = (mode === "topk" ? mergeRanked(pages, inFiles) : [...pages, ...inFiles]).slice(0, limit);
  const used = (isFile: boolean) => page.filter((one) => one.isFile === isFile).length;
  const next = {
    documents: nextPosition(at.documents, used(false), shown.length, documents),
    files: nextPosition(at.files, used(true), files.hits.length, files),
  };
  const [a, b] = [documents.result.counts, files.result.counts];
  const sum = (name: keyof typeof a) => (a[name] ?? 0) + (b[name] ?? 0);
  const hits = {
    ...{ total: sum("total"), all_words: sum("all_words"), documents: sum("documents") },
    ...{ content: sum("content"), title: sum("title") },
  };
  const projection = joined(documents.projection, files.pending);
  const cursor =
    next.documents === null && next.files === null ? null : encodePositions(app, workspaceId, identity, next);
  return { dataJson: jsonOf(page), envelope: { page: pageFrom(input, cursor), hits, projection } };
}

type Candidate = WrittenHit & { readonly isFile: boolean };

type Part = {
  readonly result: { readonly hits: readonly unknown[] };
  readonly after: (count: number) => string | null;
};

/** The position behind the hits that the page used. Hits that could not be shown are skipped with the last one. */
function nextPosition(at: string | null, used: number, shown: number, { result, after }: Part): string | null {
  if (at === null) return null;
  const count = used === shown ? result.hits.length : used;
  return count === 0 && result.hits.length > 0 ? at : after(count);
}

function joined(a: Projection, b: Projection): Projection {
  const ids = [...new Set([...a.stale_document_ids, ...b.stale_document_ids])];
  return {
    complete: a.complete && b.complete,
    stale_count: a.stale_count + b.stale_count,
    stale_document_ids: ids.slice(0, 100),
  };
}

const fingerprint = (workspaceId: string, identity: unknown): string =>
  hash("sha256", JSON.stringify([workspaceId, identity]), "base64url").slice(0, 16);

/** Holds the contents of both cursors: encoded twice they would be twice as long. */
function encodePositions(app: Services, workspaceId: string, identity: unknown, next: Positions): string {
  const opened = [next.documents, next.files].map((cursor) => cursor && decodeCursor(app.secret, cursor));
  return encodeCursor(app.secret, ["search_all", fingerprint(workspaceId, identity), ...opened]);
}

function decodePositions(app: Services, workspaceId: string, identity: unknown, cursor: string | undefined): Positions {
  if (cursor === undefined) return { documents: "", files: "" };
  const decoded: unknown = decodeCursor(app.secret, cursor);
  if (!Array.isArray(decoded) || decoded[0] !== "search_all") throw apiError("invalid_cursor");
  const [, identified, documents, files] = decoded;
  if (identified !== fingerprint(workspaceId, identity)) throw apiError("cursor_mismatch");
  const closed = (position: unknown): string | null =>
    Array.isArray(position) ? encodeCursor(app.secret, position) : position === null ? null : "";
  return { documents: closed(documents), files: closed(files) };
}
