import { defined } from "@svc/document/defined";
import type { Reader, Tx } from "../../../db/database.ts";
import type { AttachmentRow, NewAttachmentRow } from "../../../db/schema/tables/documents.ts";
import { notFound } from "../../../errors.ts";
import { mayHaveText } from "../../../file-text/file-text.ts";

const BATCH = 500;

const live = (db: Reader, workspaceId: string) =>
  db.selectFrom("attachments").selectAll().where("workspace_id", "=", workspaceId).where("expires_at", "is", null);

export async function getAttachment(db: Reader, workspaceId: string, id: string): Promise<AttachmentRow> {
  const row = await live(db, workspaceId).where("id", "=", id).executeTakeFirst();
  if (!row) throw notFound("attachment", id);
  return row;
}

/** A document's attachments by id, that is, by age. */
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

/** Returns the ids that are attachments of the document. Skips text with NUL, which no column can hold. */
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

/** Returns the attachments among these that are audio or video. */
export async function findMediaTypes(db: Reader, workspaceId: string, ids: readonly string[]) {
  const found: Pick<AttachmentRow, "id" | "content_type">[] = [];
  for (let i = 0; i < ids.length; i += BATCH)
    found.push(
      ...(await live(db, workspaceId)
        .clearSelect()
        .select(["id", "content_type"])
        .where("id", "in", ids.slice(i, i + BATCH))
        .where((eb) => eb.or([eb("content_type", "like", "audio/%"), eb("content_type", "like", "video/%")]))
        .execute()),
    );
  return found;
}

/** Adds attachments, which wait to be read if they may have text. Returns them as stored. */
export const insertAttachments = async (tx: Tx, added: readonly NewAttachmentRow[]): Promise<AttachmentRow[]> => {
  const rows = added.map((row) => ({ ...row, text_status: mayHaveText(row.content_type) ? null : ("none" as const) }));
  for (let i = 0; i < rows.length; i += 100)
    await tx
      .insertInto("attachments")
      .values(rows.slice(i, i + 100))
      .execute();
  return rows;
};

/** Deletes the attachment when the transaction commits; its file is removed after `expires_at`. */
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

/** An attachment that was deleted individually and can still be restored. */
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

/** Undoes the deletion; only one of several callers succeeds. */
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

/** Deletes the attachments of documents in one knowledge base; returns their size in bytes. */
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

/** Restores attachments with their document; returns their size in bytes. Those deleted individually stay deleted. */
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

/** Total bytes of files that can be restored with their documents, of these documents or of all. */
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

/** Files deleted earlier from this knowledge base can never be restored, so they may be removed at once. */
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

/** Whether another attachment, existing or in the trash, uses the same file. */
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

/** Returns the keys of files that belong to an attachment. */
export async function findUsedKeys(db: Reader, keys: readonly string[]): Promise<Set<string>> {
  const rows = await db.selectFrom("attachments").select("blob_key").where("blob_key", "in", keys).execute();
  return new Set(rows.map((row) => row.blob_key));
}
