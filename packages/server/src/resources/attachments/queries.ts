import { defined } from "@svc/document/defined";
import type { Reader, Tx } from "../../db/database.ts";
import type { AttachmentRow } from "../../db/schema/tables/documents.ts";
import { notFound } from "../../errors.ts";

const BATCH = 500;

const live = (db: Reader, workspaceId: string) =>
  db.selectFrom("attachments").selectAll().where("workspace_id", "=", workspaceId).where("expires_at", "is", null);

export async function getAttachment(db: Reader, workspaceId: string, id: string): Promise<AttachmentRow> {
  const row = await live(db, workspaceId).where("id", "=", id).executeTakeFirst();
  if (!row) throw notFound("attachment", id);
  return row;
}

/** A document's attachments by id, which is by age. */
export const listAttachments = (
  db: Reader,
  workspaceId: string,
  documentId: string,
  after = "",
  limit?: number,
): Promise<AttachmentRow[]> =>
  live(db, workspaceId)
    .where("document_id", "=", documentId)
    .where("id", ">", after)
    .orderBy("id")
    .$if(limit !== undefined, (query) => query.limit(defined(limit)))
    .execute();

/** Which of these are attachments of the document. A text with NUL, which no column can hold, is none. */
export async function findOwnIds(
  db: Reader,
  workspaceId: string,
  documentId: string,
  given: readonly string[],
): Promise<Set<string>> {
  const own = new Set<string>();
  const ids = given.filter((id) => !id.includes("\0"));
  for (let i = 0; i < ids.length; i += BATCH) {
    const rows = await db
      .selectFrom("attachments")
      .select("id")
      .where("workspace_id", "=", workspaceId)
      .where("document_id", "=", documentId)
      .where("id", "in", ids.slice(i, i + BATCH))
      .where("expires_at", "is", null)
      .execute();
    for (const row of rows) own.add(row.id);
  }
  return own;
}

export const insertAttachments = async (tx: Tx, rows: readonly AttachmentRow[]): Promise<void> => {
  for (let i = 0; i < rows.length; i += 100)
    await tx
      .insertInto("attachments")
      .values(rows.slice(i, i + 100))
      .execute();
};

/** Gone for everybody when the transaction commits; its file goes after `expires_at`. */
export async function expireAttachment(
  tx: Tx,
  workspaceId: string,
  id: string,
  deletion: Pick<AttachmentRow, "expires_at" | "removed_from" | "deleted_by" | "deleted_version">,
): Promise<AttachmentRow> {
  const row = await tx
    .updateTable("attachments")
    .set(deletion)
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", id)
    .where("expires_at", "is", null)
    .returningAll()
    .executeTakeFirst();
  if (!row) throw notFound("attachment", id);
  return row;
}

/** One that was deleted by itself and can still come back. */
export async function getDeletedAttachment(
  db: Reader,
  workspaceId: string,
  id: string,
  now: number,
): Promise<AttachmentRow> {
  const row = await db
    .selectFrom("attachments")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", id)
    .where("deleted_by", "is not", null)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  if (!row) throw notFound("attachment", id);
  return row;
}

/** Takes the deletion back; only one of several gets it. */
export async function reviveAttachment(tx: Tx, workspaceId: string, id: string, now: number): Promise<AttachmentRow> {
  const row = await tx
    .updateTable("attachments")
    .set({ expires_at: null, removed_from: null, deleted_by: null, deleted_version: null })
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", id)
    .where("deleted_by", "is not", null)
    .where("expires_at", ">", now)
    .returningAll()
    .executeTakeFirst();
  if (!row) throw notFound("attachment", id);
  return row;
}

/** With their documents, from one knowledge base; answers their bytes. */
export async function expireAttachmentsOf(
  tx: Tx,
  workspaceId: string,
  documentIds: readonly string[],
  knowledgeBaseId: number,
  expiresAt: number,
): Promise<number> {
  let bytes = 0;
  for (let i = 0; i < documentIds.length; i += BATCH) {
    const rows = await tx
      .updateTable("attachments")
      .set({ expires_at: expiresAt, removed_from: knowledgeBaseId })
      .where("workspace_id", "=", workspaceId)
      .where("document_id", "in", documentIds.slice(i, i + BATCH))
      .where("expires_at", "is", null)
      .returning("size")
      .execute();
    bytes += rows.reduce((sum, row) => sum + row.size, 0);
  }
  return bytes;
}

/** Back with their document; answers their bytes. One that was deleted by itself stays deleted. */
export async function reviveAttachmentsOf(tx: Tx, workspaceId: string, documentId: string): Promise<number> {
  const rows = await tx
    .updateTable("attachments")
    .set({ expires_at: null, removed_from: null })
    .where("workspace_id", "=", workspaceId)
    .where("document_id", "=", documentId)
    .where("expires_at", ">", 0)
    .where("deleted_by", "is", null)
    .returning("size")
    .execute();
  return rows.reduce((sum, row) => sum + row.size, 0);
}

/** Bytes of files that a restore can bring back with their documents, of these or of all. */
export async function sumTrashedBytes(
  db: Reader,
  workspaceId: string,
  documentIds?: readonly string[],
): Promise<number> {
  const row = await db
    .selectFrom("attachments")
    .select((eb) => eb.fn.sum<number | null>("size").as("bytes"))
    .where("workspace_id", "=", workspaceId)
    .where("expires_at", ">", 0)
    .where("deleted_by", "is", null)
    .$if(documentIds !== undefined, (query) => query.where("document_id", "in", defined(documentIds)))
    .executeTakeFirst();
  return Number(row?.bytes ?? 0);
}

/** What was deleted from this knowledge base before can never be restored: its files need not wait. */
export const expireTrashedOf = (tx: Tx, workspaceId: string, knowledgeBaseId: number) =>
  tx
    .updateTable("attachments")
    .set({ expires_at: 0 })
    .where("workspace_id", "=", workspaceId)
    .where("removed_from", "=", knowledgeBaseId)
    .where("expires_at", ">", 0)
    .execute();

export const listExpired = (db: Reader, now: number, limit: number): Promise<AttachmentRow[]> =>
  db.selectFrom("attachments").selectAll().where("expires_at", "<=", now).orderBy("expires_at").limit(limit).execute();

export const deleteAttachmentRow = (tx: Tx, { workspace_id, id }: AttachmentRow) =>
  tx.deleteFrom("attachments").where("workspace_id", "=", workspace_id).where("id", "=", id).execute();

/** Whether an attachment other than this one, there or in the trash, has the same file. */
export async function isShared(db: Reader, row: AttachmentRow): Promise<boolean> {
  const other = await db
    .selectFrom("attachments")
    .select("id")
    .where("blob_key", "=", row.blob_key)
    .where("id", "!=", row.id)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

/** Which of these files belong to an attachment. */
export async function findUsedKeys(db: Reader, keys: readonly string[]): Promise<Set<string>> {
  const rows = await db.selectFrom("attachments").select("blob_key").where("blob_key", "in", keys).execute();
  return new Set(rows.map((row) => row.blob_key));
}
