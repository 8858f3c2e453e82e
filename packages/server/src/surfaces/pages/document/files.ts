import { plainText } from "@svc/document/read/text";
import type { Node } from "@svc/document/types";
import { filePage } from "@svc/web/server/pages/document/file";
import type { StoredBody } from "../../../bodies/body.ts";
import { download } from "../../../domain/content/attachments/download.ts";
import { listPage } from "../../../domain/content/attachments/list-page.ts";
import { getAttachment } from "../../../domain/content/attachments/queries.ts";
import { referencesOf } from "../../../domain/content/attachments/references.ts";
import { ApiError, notFound } from "../../../errors.ts";
import { readText } from "../../../views/search/files/read-text.ts";
import { get, goTo, idFrom, type MemberVisit, type Outcome, post, show } from "../visit.ts";
import { documentHead } from "./document-head.ts";

const PASSED_ON = ["range", "if-range", "if-none-match"] as const;

/** Sends an attachment to a page that shows it, as the API's download does. */
async function showFile(visit: MemberVisit): Promise<Outcome> {
  const headers = Object.fromEntries(
    PASSED_ON.flatMap((name) => (typeof visit.headers[name] === "string" ? [[name, visit.headers[name]]] : [])),
  );
  const { blobs, database } = visit.app;
  const row = await getAttachment(database.read, visit.viewer.workspace.id, idFrom(visit.params.id, "attachment"));
  try {
    const answer = await download(blobs, row, { method: "GET", headers });
    return {
      status: answer.status ?? 200,
      headers: { ...answer.headers, "cache-control": "private, no-cache" },
      raw: answer.raw ?? { contentType: row.content_type, body: "" },
    };
  } catch (error) {
    return outsideOf(error);
  }
}

/** Answers a range outside the file with its length, as the API does. */
function outsideOf(error: unknown): Outcome {
  if (!(error instanceof ApiError) || error.code !== "range_not_satisfiable") throw error;
  const headers = { "content-range": `bytes */${error.details.size}`, "cache-control": "private, no-cache" };
  return { status: error.status, headers, raw: { contentType: "text/plain; charset=utf-8", body: error.message } };
}

const MAX_USES = 20;
const MAX_FILES = 100;

/** The files of a document, in pages of a hundred, each with the blocks that use it. */
export async function readFiles(visit: MemberVisit, id: string, body: StoredBody) {
  const cursor = visit.query.get("files");
  const { app, viewer } = visit;
  const key = { workspaceId: viewer.workspace.id, documentId: id };
  const query = { limit: MAX_FILES, ...(cursor && { cursor }) };
  const { data, page } = (await listPage(app, app.database.read, key, body, query)).envelope;
  const references = data.length === 0 ? [] : referencesOf(body.blocks);
  const usesOf = (file: string) => [
    ...new Set(references.flatMap(({ attachmentId, blockId }) => (attachmentId === file ? blockId : []))),
  ];
  const list = data.map((file) => ({
    id: file.id,
    name: file.file_name,
    bytes: file.size,
    isUsed: file.reference_count > 0,
    uses: usesOf(file.id)
      .slice(0, MAX_USES)
      .map((blockId) => ({ blockId, text: headingAbove(body.blocks, blockId) })),
  }));
  const next = page.next_cursor && `/documents/${id}?files=${encodeURIComponent(page.next_cursor)}#files`;
  return { list, next: next ?? undefined, isFirst: !cursor };
}

/** The heading above a block; undefined before the first heading. */
function headingAbove(blocks: readonly Node[], blockId: string): string | undefined {
  let heading: string | undefined;
  for (const block of blocks) {
    if (block.type === "heading") heading = plainText(block);
    if (hasBlock(block, blockId)) return heading;
  }
  return undefined;
}

const hasBlock = (node: Node, id: string): boolean =>
  node.attrs?.id === id || (node.content ?? []).some((child) => hasBlock(child, id));

/** Deletes a file that the text does not use; the API refuses to delete others. */
async function deleteFile(visit: MemberVisit): Promise<Outcome> {
  const id = idFrom(visit.params.id, "document");
  await visit.api.delete("/attachments/{id}", { path: { id: idFrom(visit.params.file, "attachment") } });
  return goTo(`/documents/${id}`, "file-deleted");
}

/** Headers that are only meant for callers of the API. */
const API_ONLY = /^(access-control-|x-ratelimit-|connection$|transfer-encoding$|date$|content-type$)/;

export const pageHeaders = (headers: Headers): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => !API_ONLY.test(name)));

/** Pages of text on one page. */
const SHOWN_TOKENS = 30_000;

/** A file's own page: a preview and its text. */
async function showFilePage(visit: MemberVisit): Promise<Outcome> {
  const head = await documentHead(visit);
  const id = idFrom(visit.params.file, "attachment");
  const { config, database } = visit.app;
  const file = await getAttachment(database.read, visit.viewer.workspace.id, id);
  if (file.document_id !== head.id) throw notFound("attachment", id);
  const wanted = Number(visit.query.get("page"));
  const page = Number.isSafeInteger(wanted) && wanted > 0 ? wanted : 1;
  const read = (from: number) => readText(database.read, config, file, { page: from, max_tokens: SHOWN_TOKENS });
  const text = await read(page).catch((error: unknown) => {
    if (page === 1 || !(error instanceof ApiError) || error.status !== 400) throw error;
    return read(1);
  });
  return show(filePage({ head, file, text, now: Date.now() }));
}

export const filePages = [
  get("/documents/:id/files/:file", showFilePage),
  get("/files/:id", showFile),
  post("/documents/:id/files/:file/delete", deleteFile),
];
