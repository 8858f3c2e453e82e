import type { Db } from "../../db/database.ts";
import type { AttachmentRow, BodyRow, DocumentRow } from "../../db/tables.ts";
import type { PlacedDocument } from "./layout.ts";

export const listPlacedDocuments = (db: Db, workspaceId: string, knowledgeBaseId: number): Promise<PlacedDocument[]> =>
  db
    .selectFrom("documents")
    .select(["id", "title", "folder_id"])
    .where("workspace_id", "=", workspaceId)
    .where("knowledge_base_id", "=", knowledgeBaseId)
    .orderBy("id")
    .execute();

/** Documents of the knowledge base by id, language versions too. */
export const listDocumentPage = (
  db: Db,
  workspaceId: string,
  knowledgeBaseId: number,
  after: string,
  limit: number,
): Promise<DocumentRow[]> =>
  db
    .selectFrom("documents")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("knowledge_base_id", "=", knowledgeBaseId)
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();

export async function listBodies(db: Db, workspaceId: string, ids: readonly string[]): Promise<Map<string, BodyRow>> {
  const rows = await db
    .selectFrom("bodies")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("document_id", "in", ids)
    .execute();
  return new Map(rows.map((row) => [row.document_id, row]));
}

export async function listAttachmentsOfAll(
  db: Db,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, AttachmentRow[]>> {
  const rows = await db
    .selectFrom("attachments")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("document_id", "in", ids)
    .where("expires_at", "is", null)
    .orderBy("id")
    .execute();
  return Map.groupBy(rows, (row) => row.document_id);
}
