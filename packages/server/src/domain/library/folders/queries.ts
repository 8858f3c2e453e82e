import type { Selectable } from "kysely";
import type { Reader, SelectBuilder, Tx } from "../../../db/database.ts";
import type { FolderRow } from "../../../db/schema/tables/documents.ts";
import { batchesOf } from "../../../db/statement/batches.ts";
import { statement } from "../../../db/statement/statement.ts";
import { notFound } from "../../../errors.ts";
import { deleteWatchesOf } from "../../../notify/queries.ts";

export type Folder = Selectable<FolderRow>;
/** A new folder; columns with a default may be left out. */
type NewFolder = Omit<Folder, "id" | "child_order" | "index_document_id"> & Partial<Folder>;

const inWorkspace = (db: SelectBuilder, workspaceId: string) =>
  db.selectFrom("folders").selectAll().where("workspace_id", "=", workspaceId);

export const findFolderRow = (db: Reader, workspaceId: string, id: number): Promise<Folder | undefined> =>
  inWorkspace(db, workspaceId).where("id", "=", id).executeTakeFirst();

export async function getFolder(db: Reader, workspaceId: string, id: number): Promise<Folder> {
  const row = await findFolderRow(db, workspaceId, id);
  if (!row) throw notFound("folder", id);
  return row;
}

const selectFoldersOf = statement<{ workspaceId: string; knowledgeBaseId: number }, Folder>((db, value) =>
  inWorkspace(db, value("workspaceId")).where("knowledge_base_id", "=", value("knowledgeBaseId")).orderBy("id"),
);

export const listFoldersOf = (db: Reader, workspaceId: string, knowledgeBaseId: number): Promise<Folder[]> =>
  selectFoldersOf(db, { workspaceId, knowledgeBaseId });

export const listSubfolders = (db: Reader, workspaceId: string, parentId: number): Promise<Folder[]> =>
  inWorkspace(db, workspaceId).where("parent_id", "=", parentId).orderBy("id").execute();

/** Directly in a knowledge base. */
export const listTopFolders = (db: Reader, workspaceId: string, knowledgeBaseId: number): Promise<Folder[]> =>
  inWorkspace(db, workspaceId)
    .where("knowledge_base_id", "=", knowledgeBaseId)
    .where("parent_id", "is", null)
    .orderBy("id")
    .execute();

/** Returns the folders that contain a folder or document. */
export async function listFilledFolders(db: Reader, workspaceId: string, ids: readonly number[]): Promise<Set<number>> {
  const filled = new Set<number>();
  for (const some of batchesOf(ids)) {
    const folders = await db
      .selectFrom("folders")
      .select("parent_id as id")
      .distinct()
      .where("workspace_id", "=", workspaceId)
      .where("parent_id", "in", some)
      .execute();
    const documents = await db
      .selectFrom("documents")
      .select("folder_id as id")
      .distinct()
      .where("workspace_id", "=", workspaceId)
      .where("folder_id", "in", some)
      .execute();
    for (const { id } of [...folders, ...documents]) if (id !== null) filled.add(id);
  }
  return filled;
}

export const insertFolder = (tx: Tx, row: NewFolder): Promise<Folder> =>
  tx.insertInto("folders").values(row).returningAll().executeTakeFirstOrThrow();

export const updateFolder = (
  tx: Tx,
  workspaceId: string,
  id: number,
  changes: Partial<Omit<Folder, "id">>,
): Promise<Folder> =>
  tx
    .updateTable("folders")
    .set({ ...changes, updated_at: Date.now() })
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();

export async function moveFoldersTo(
  tx: Tx,
  workspaceId: string,
  ids: readonly number[],
  knowledgeBaseId: number,
): Promise<void> {
  for (const some of batchesOf(ids))
    await tx
      .updateTable("folders")
      .set({ knowledge_base_id: knowledgeBaseId })
      .where("workspace_id", "=", workspaceId)
      .where("id", "in", some)
      .execute();
}

export async function deleteFolders(tx: Tx, workspaceId: string, ids: readonly number[]): Promise<void> {
  for (const some of batchesOf(ids)) {
    await deleteWatchesOf(tx, workspaceId, "folder", some);
    await tx.deleteFrom("folders").where("workspace_id", "=", workspaceId).where("id", "in", some).execute();
  }
}

export async function deleteFoldersOf(tx: Tx, workspaceId: string, knowledgeBaseId: number): Promise<number[]> {
  const rows = await tx
    .deleteFrom("folders")
    .where("workspace_id", "=", workspaceId)
    .where("knowledge_base_id", "=", knowledgeBaseId)
    .returning("id")
    .execute();
  const ids = rows.map((row) => row.id);
  for (const some of batchesOf(ids)) await deleteWatchesOf(tx, workspaceId, "folder", some);
  return ids;
}
