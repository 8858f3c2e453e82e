import { type BlockInfo, blockAt, listBlocks } from "@svc/document/blocks/find";
import { blockId } from "@svc/document/schema/node";
import type { StoredBody } from "../../../bodies/body.ts";
import { apiError, notFound } from "../../../errors.ts";
import { type Answer, list, quoted } from "../../../http/answer.ts";
import { decodeListCursor, encodeListCursor } from "../../../http/cursor.ts";
import type { ServerSecret } from "../../../http/server-secret.ts";
import { blockOf } from "./represent.ts";

interface BlockListQuery {
  readonly recursive?: boolean;
  readonly format?: "tiptap-json" | "markdown";
  readonly limit?: number;
  readonly cursor?: string;
  readonly id_ends?: string;
}

/** All blocks, or with `limit` a page whose cursor is valid for this version only. */
export function listBlockPage(
  secret: ServerSecret,
  documentId: string,
  body: StoredBody,
  query: BlockListQuery,
): Answer {
  const { id_ends } = query;
  const identity = ["blocks", documentId, query.recursive ?? false, ...(id_ends === undefined ? [] : [id_ends])];
  const [version, start = 0] = decodeListCursor(secret, identity, query.cursor) ?? [body.version];
  if (version !== body.version) throw apiError("read_cursor_stale", { current_version: body.version });
  const all = query.recursive || id_ends !== undefined ? listBlocks(body.body, { recursive: true }) : undefined;
  const nested = id_ends === undefined ? all : all?.filter(({ id }) => id.endsWith(id_ends));
  const total = nested?.length ?? body.blocks.length;
  const end = query.limit === undefined ? total : Math.min(total, Number(start) + query.limit);
  const next = end < total ? encodeListCursor(secret, identity, [body.version, end]) : null;
  const page = { cursor: query.cursor ?? null, next_cursor: next, has_more: next !== null };
  const infos = nested?.slice(Number(start), end) ?? topLevel(body, Number(start), end);
  const shown = infos.map((info) => blockOf(info, body.version, query.format));
  return { ...list(shown, page), headers: { etag: quoted(body.version) } };
}

/** A page of top-level blocks, without visiting the others. */
const topLevel = (body: StoredBody, start: number, end: number): BlockInfo[] =>
  body.blocks.slice(start, end).map((node, i) => ({
    id: blockId(node) ?? "",
    type: node.type,
    parent_id: null,
    position: start + i,
    depth: 0,
    node,
  }));

export function getBlockInfo(body: StoredBody, id: string): BlockInfo {
  const path = body.locate(body.body, id);
  if (!path) throw notFound("block", id);
  const { node, parentId, position, depth } = blockAt(body.body, path);
  return { id, type: node.type, parent_id: parentId, position, depth, node };
}
