import { hash } from "node:crypto";
import type { Reader, Tx } from "../../../db/database.ts";
import type { CommentReactionRow, CommentRow } from "../../../db/schema/tables/discussion.ts";
import { notFound } from "../../../errors.ts";

export const commentVersion = ({ id, revision }: Pick<CommentRow, "id" | "revision">): string =>
  `sha256:${hash("sha256", `${id} ${revision}`, "hex")}`;

const inWorkspace = (db: Reader, workspaceId: string) =>
  db.selectFrom("comments").selectAll().where("workspace_id", "=", workspaceId);

export const findComment = (db: Reader, workspaceId: string, id: string): Promise<CommentRow | undefined> =>
  inWorkspace(db, workspaceId).where("id", "=", id).executeTakeFirst();

export async function getComment(db: Reader, workspaceId: string, id: string): Promise<CommentRow> {
  const row = await findComment(db, workspaceId, id);
  if (!row) throw notFound("comment", id);
  return row;
}

export const insertComment = (tx: Tx, row: CommentRow) => tx.insertInto("comments").values(row).execute();

/** Updates a comment and gives it a new version. The caller has locked it with its document. */
export const updateComment = (tx: Tx, row: CommentRow, changes: Partial<CommentRow>): Promise<CommentRow> =>
  tx
    .updateTable("comments")
    .set((eb) => ({ ...changes, revision: eb("revision", "+", 1) }))
    .where("workspace_id", "=", row.workspace_id)
    .where("id", "=", row.id)
    .returningAll()
    .executeTakeFirstOrThrow();

export async function deleteComment(tx: Tx, row: CommentRow): Promise<void> {
  await tx
    .deleteFrom("comment_reactions")
    .where("workspace_id", "=", row.workspace_id)
    .where("comment_id", "=", row.id)
    .execute();
  await tx.deleteFrom("comments").where("workspace_id", "=", row.workspace_id).where("id", "=", row.id).execute();
}

/** Comments that open a thread, by id. */
export const listOpening = (
  db: Reader,
  { workspaceId, documentId }: { readonly workspaceId: string; readonly documentId: string },
  state: "open" | "resolved" | "all",
  after: string,
  limit: number,
): Promise<CommentRow[]> =>
  inWorkspace(db, workspaceId)
    .where("document_id", "=", documentId)
    .whereRef("id", "=", "thread_id")
    .where("thread_id", ">", after)
    .$if(state === "open", (rows) => rows.where("resolved_at", "is", null))
    .$if(state === "resolved", (rows) => rows.where("resolved_at", "is not", null))
    .orderBy("thread_id")
    .limit(limit)
    .execute();

export const listReplies = (
  db: Reader,
  workspaceId: string,
  documentId: string,
  threadIds: readonly string[],
): Promise<CommentRow[]> =>
  threadIds.length === 0
    ? Promise.resolve([])
    : inWorkspace(db, workspaceId)
        .where("document_id", "=", documentId)
        .where("thread_id", "in", threadIds)
        .whereRef("id", "!=", "thread_id")
        .orderBy("id")
        .execute();

export const countComments = async (db: Reader, workspaceId: string, documentId: string): Promise<number> => {
  const { count } = await db
    .selectFrom("comments")
    .select((eb) => eb.fn.countAll().as("count"))
    .where("workspace_id", "=", workspaceId)
    .where("document_id", "=", documentId)
    .executeTakeFirstOrThrow();
  return Number(count);
};

export const hasReplies = async (db: Reader, row: CommentRow): Promise<boolean> =>
  (await listReplies(db, row.workspace_id, row.document_id, [row.thread_id])).length > 0;

export const listReactions = (
  db: Reader,
  workspaceId: string,
  commentIds: readonly string[],
): Promise<CommentReactionRow[]> =>
  commentIds.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom("comment_reactions")
        .selectAll()
        .where("workspace_id", "=", workspaceId)
        .where("comment_id", "in", commentIds)
        .orderBy("created_at")
        .orderBy("emoji")
        .execute();

/** Ids of the people who have written in a thread. */
export async function listAuthors(db: Reader, thread: CommentRow): Promise<string[]> {
  const rows = await db
    .selectFrom("comments")
    .select("user_id")
    .distinct()
    .where("workspace_id", "=", thread.workspace_id)
    .where("document_id", "=", thread.document_id)
    .where("thread_id", "=", thread.thread_id)
    .execute();
  return rows.map(({ user_id }) => user_id);
}

/** True if it is new. */
export const insertReaction = async (tx: Tx, row: CommentReactionRow): Promise<boolean> =>
  (await tx
    .insertInto("comment_reactions")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning("emoji")
    .executeTakeFirst()) !== undefined;

/** True if there was one. */
export const deleteReaction = async (
  tx: Tx,
  { workspace_id, comment_id, emoji, user_id }: Omit<CommentReactionRow, "created_at" | "document_id">,
): Promise<boolean> =>
  (await tx
    .deleteFrom("comment_reactions")
    .where("workspace_id", "=", workspace_id)
    .where("comment_id", "=", comment_id)
    .where("emoji", "=", emoji)
    .where("user_id", "=", user_id)
    .returning("emoji")
    .executeTakeFirst()) !== undefined;
