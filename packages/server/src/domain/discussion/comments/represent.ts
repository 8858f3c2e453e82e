import { renderBody } from "@svc/document/html/render";
import { parseMarkdown } from "@svc/document/markdown/parse";
import type { CommentReactionRow, CommentRow } from "../../../db/schema/tables/discussion.ts";
import { authorOf } from "../../identity/authors/author.ts";
import type { ReadAnchor } from "./anchor.ts";
import { commentVersion } from "./queries.ts";

/** Everything besides the row that a comment's fields depend on. */
export interface CommentContext {
  readonly anchorOf: ReadAnchor;
  readonly reactions: ReadonlyMap<string, readonly CommentReactionRow[]>;
  /** The user whose reactions are marked `mine`. */
  readonly userId: string;
}

const htmlOf = (markdown: string): string => renderBody(parseMarkdown(markdown));

function reactionsOf(rows: readonly CommentReactionRow[], userId: string) {
  return [...Map.groupBy(rows, ({ emoji }) => emoji)].map(([emoji, by]) => ({
    emoji,
    count: by.length,
    mine: by.some(({ user_id }) => user_id === userId),
  }));
}

export const commentOf = (row: CommentRow, { anchorOf, reactions, userId }: CommentContext) => ({
  id: row.id,
  thread_id: row.thread_id,
  document_id: row.document_id,
  anchor: anchorOf(row),
  body: row.markdown === null ? null : { markdown: row.markdown, html: htmlOf(row.markdown) },
  author: authorOf(row),
  deleted: row.deleted_at !== null,
  created_at: row.created_at,
  updated_at: row.updated_at,
  resolved_at: row.resolved_at,
  resolved_by: row.resolved_by,
  reactions: reactionsOf(reactions.get(row.id) ?? [], userId),
  version: commentVersion(row),
});
