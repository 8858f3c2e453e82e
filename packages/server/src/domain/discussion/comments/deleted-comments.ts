import type { Reader, Tx } from "../../../db/database.ts";
import type { CommentReactionRow, CommentRow, DeletedCommentRow } from "../../../db/schema/tables/discussion.ts";
import { DAY_MS } from "../../../time.ts";
import { listReactions } from "./queries.ts";

/** A deleted comment with its former content. */
interface KeptComment {
  readonly row: CommentRow;
  readonly reactions: readonly CommentReactionRow[];
}

export const keptComment = ({ content }: DeletedCommentRow): KeptComment => JSON.parse(content);

export interface Deletion {
  readonly userId: string;
  readonly at: number;
  readonly retentionDays: number;
}

/** Keeps a comment that is about to be deleted, unless deleted content is not kept at all. */
export async function keepDeleted(tx: Tx, row: CommentRow, { userId, at, retentionDays }: Deletion): Promise<void> {
  if (retentionDays === 0) return;
  const reactions = await listReactions(tx, row.workspace_id, [row.id]);
  await tx
    .insertInto("deleted_comments")
    .values({
      workspace_id: row.workspace_id,
      id: row.id,
      document_id: row.document_id,
      thread_id: row.thread_id,
      anchor_block_id: row.anchor_block_id,
      content: JSON.stringify({ row, reactions } satisfies KeptComment),
      deleted_by: userId,
      deleted_at: at,
    })
    // The emptied row of a deleted comment is deleted with its last reply; keep the original content.
    .onConflict((conflict) => conflict.columns(["workspace_id", "id"]).doUpdateSet({ deleted_at: at }))
    .execute();
}

/** A comment whose deletion can still be undone. */
export const findDeleted = (
  db: Reader,
  workspaceId: string,
  id: string,
  retentionDays: number,
): Promise<DeletedCommentRow | undefined> =>
  db
    .selectFrom("deleted_comments")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", id)
    .where("deleted_at", ">", Date.now() - retentionDays * DAY_MS)
    .executeTakeFirst();

export const forgetDeleted = (tx: Tx, { workspace_id, id }: DeletedCommentRow) =>
  tx.deleteFrom("deleted_comments").where("workspace_id", "=", workspace_id).where("id", "=", id).execute();
