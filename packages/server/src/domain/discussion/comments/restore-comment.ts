import type { CommentRow, DeletedCommentRow } from "../../../db/schema/tables/discussion.ts";
import { apiError, notFound } from "../../../errors.ts";
import { roleIn } from "../../../rights/rights.ts";
import { titleKey } from "../../library/documents/title-key.ts";
import { findDeleted, forgetDeleted, keptComment } from "./deleted-comments.ts";
import { appendCommentEvent, type Discussion, lockDiscussed, requireRoom } from "./discussion.ts";
import { findComment, insertComment, insertReaction, updateComment } from "./queries.ts";

/** Restores a deleted comment with its id, text, author, place and reactions. */
export async function restoreComment(discussion: Discussion, id: string): Promise<CommentRow> {
  const first = await getDeleted(discussion, id);
  const document = await lockDiscussed(discussion, first.document_id);
  // Check again under the lock: of two concurrent calls, one restores.
  const deleted = await getDeleted(discussion, id);
  checkMayRestore(discussion, deleted, roleIn(discussion.caller, document.knowledge_base_id) === "owner");
  const restored = await putBack(discussion, deleted);
  await forgetDeleted(discussion.tx, deleted);
  appendCommentEvent(discussion, "comment.created", document, restored);
  return restored;
}

async function getDeleted({ app, tx, caller }: Discussion, id: string): Promise<DeletedCommentRow> {
  const deleted = await findDeleted(tx, caller.workspaceId, id, app.config.trashRetentionDays);
  if (!deleted || keptComment(deleted).row.markdown === null) throw notFound("comment", id);
  return deleted;
}

/** An author cannot restore a comment that an owner deleted. */
function checkMayRestore({ caller }: Discussion, { deleted_by }: DeletedCommentRow, isOwner: boolean): void {
  if (deleted_by === caller.userId || isOwner) return;
  throw apiError("insufficient_role", {
    role: caller.role,
    hint: "Only whoever deleted it, its author or an owner, brings it back.",
  });
}

async function putBack(discussion: Discussion, deleted: DeletedCommentRow): Promise<CommentRow> {
  const { tx } = discussion;
  const { row, reactions } = keptComment(deleted);
  const emptied = await findComment(tx, row.workspace_id, row.id);
  if (emptied)
    return updateComment(tx, emptied, {
      markdown: row.markdown,
      text_key: titleKey(row.markdown ?? ""),
      deleted_at: null,
    });
  await requireRoom(discussion, deleted);
  if (row.thread_id !== row.id) await ensureThread(discussion, deleted);
  const back: CommentRow = { ...row, document_id: deleted.document_id, revision: row.revision + 1 };
  await insertComment(tx, back);
  for (const reaction of reactions) await insertReaction(tx, { ...reaction, document_id: deleted.document_id });
  return back;
}

/** A reply needs its thread: if the opening comment is gone, inserts it again as an empty row. */
async function ensureThread({ app, tx }: Discussion, { workspace_id, id, thread_id, document_id }: DeletedCommentRow) {
  if (await findComment(tx, workspace_id, thread_id)) return;
  const opening = await findDeleted(tx, workspace_id, thread_id, app.config.trashRetentionDays);
  if (!opening) throw notFound("comment", id);
  const { deleted_at } = opening;
  const emptied = { document_id, markdown: null, text_key: "", deleted_at };
  // Higher than every version that the empty comment had before.
  await insertComment(tx, { ...keptComment(opening).row, ...emptied, revision: Date.now() });
}
