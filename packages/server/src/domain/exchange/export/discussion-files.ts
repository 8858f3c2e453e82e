import type { Reader } from "../../../db/database.ts";
import type { CommentRow, SuggestionRow } from "../../../db/schema/tables/discussion.ts";
import { byId } from "../../../ids.ts";
import { authorOf } from "../../identity/authors/author.ts";

/** Comments and suggestions have a separate file named by the document's id, so that no title can collide with it. */
export const discussionPath = (documentId: string): string => `discussions/${documentId}.json`;

const commentLine = (row: CommentRow) => ({
  id: row.id,
  thread_id: row.thread_id,
  markdown: row.markdown,
  author: authorOf(row),
  anchor:
    row.anchor_block_id === null
      ? null
      : {
          block_id: row.anchor_block_id,
          quote: row.anchor_quote,
          start: row.anchor_start,
          before: row.anchor_before,
          after: row.anchor_after,
        },
  created_at: row.created_at,
  updated_at: row.updated_at,
  resolved_at: row.resolved_at,
  deleted_at: row.deleted_at,
});

const suggestionLine = (row: SuggestionRow) => ({
  id: row.id,
  base_version: row.base_version,
  status: row.status,
  note: row.note,
  changes: JSON.parse(row.changes),
  author: authorOf(row),
  created_at: row.created_at,
  updated_at: row.updated_at,
  decided_at: row.decided_at,
  decision_reason: row.decision_reason,
});

async function rowsOf(db: Reader, table: "comments" | "suggestions", workspaceId: string, documentId: string) {
  const rows = await db
    .selectFrom(table as "comments")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("document_id", "=", documentId)
    .execute();
  return rows.sort(byId);
}

/** A document's comments and suggestions as JSON; undefined if it has none. */
export async function discussionText(db: Reader, workspaceId: string, documentId: string): Promise<string | undefined> {
  const comments = await rowsOf(db, "comments", workspaceId, documentId);
  const suggestions = (await rowsOf(db, "suggestions", workspaceId, documentId)) as unknown as SuggestionRow[];
  if (comments.length + suggestions.length === 0) return undefined;
  return `${JSON.stringify({ comments: comments.map(commentLine), suggestions: suggestions.map(suggestionLine) })}\n`;
}
