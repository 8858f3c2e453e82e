import type { ExpressionBuilder } from "kysely";
import type { Reader, SelectBuilder, Tx } from "../../../db/database.ts";
import type { DocumentRow } from "../../../db/schema/tables/documents.ts";
import type { Tables } from "../../../db/schema/tables.ts";
import { batchesOf } from "../../../db/statement/batches.ts";
import { statement } from "../../../db/statement/statement.ts";
import type { LockMode } from "../../../db/transaction/lock-order.ts";
import { notFound } from "../../../errors.ts";

/** Excludes translations that are represented by their source. */
export const isNoTarget = (eb: ExpressionBuilder<Tables, "documents">) =>
  eb.or([eb("variant_role", "is", null), eb("variant_role", "!=", "target")]);

const documentByKey = statement<{ workspaceId: string; id: string }, Readonly<DocumentRow>>({
  select: "documents.*",
  from: "documents",
  key: { workspaceId: "documents.workspace_id", id: "documents.id" },
});

export const findDocument = async (
  db: Reader,
  workspaceId: string,
  id: string,
): Promise<Readonly<DocumentRow> | undefined> => documentByKey(db, { workspaceId, id });

/** Returns the document, synchronously if its row is cached; the row stays the same object while nothing changes. */
export function lookUpDocument(
  db: Reader,
  workspaceId: string,
  id: string,
): Readonly<DocumentRow> | Promise<Readonly<DocumentRow>> {
  const found = documentByKey(db, { workspaceId, id });
  return found instanceof Promise ? found.then((row) => known(row, id)) : known(found, id);
}

function known(row: Readonly<DocumentRow> | undefined, id: string): Readonly<DocumentRow> {
  if (!row) throw notFound("document", id);
  return row;
}

export const getDocument = async (db: Reader, workspaceId: string, id: string): Promise<Readonly<DocumentRow>> =>
  lookUpDocument(db, workspaceId, id);

/** Current versions of the existing documents among these. */
export async function listVersions(
  db: Reader,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const versions = new Map<string, string>();
  for (const some of batchesOf(ids)) {
    const rows = await db
      .selectFrom("documents")
      .select(["id", "version"])
      .where("workspace_id", "=", workspaceId)
      .where("id", "in", some)
      .execute();
    for (const row of rows) versions.set(row.id, row.version);
  }
  return versions;
}

/** Locks the document until the end of the transaction, so that changes of its metadata are serialized. */
export async function lockDocument(
  tx: Tx,
  workspaceId: string,
  id: string,
  mode: LockMode = "change",
): Promise<DocumentRow> {
  const row = await tx.lock("document", workspaceId, id, mode);
  if (!row) throw notFound("document", id);
  return row;
}

export const insertDocument = statement<DocumentRow, unknown>((db, value) =>
  db.insertInto("documents").values({
    workspace_id: value("workspace_id"),
    id: value("id"),
    knowledge_base_id: value("knowledge_base_id"),
    folder_id: value("folder_id"),
    title: value("title"),
    title_key: value("title_key"),
    file_name: value("file_name"),
    document_type: value("document_type"),
    heading_numbered: value("heading_numbered"),
    background_color: value("background_color"),
    collapsed_block_ids: value("collapsed_block_ids"),
    is_template: value("is_template"),
    version: value("version"),
    character_count: value("character_count"),
    block_count: value("block_count"),
    created_by: value("created_by"),
    created_at: value("created_at"),
    updated_at: value("updated_at"),
    updated_by: value("updated_by"),
    document_set_id: value("document_set_id"),
    locale: value("locale"),
    variant_role: value("variant_role"),
    workflow_status: value("workflow_status"),
    translated_from_document_id: value("translated_from_document_id"),
    translated_from_version: value("translated_from_version"),
    properties: value("properties"),
    front_matter: value("front_matter"),
  }),
);

export const updateDocument = (
  tx: Tx,
  workspaceId: string,
  id: string,
  changes: Partial<DocumentRow>,
): Promise<DocumentRow> =>
  tx
    .updateTable("documents")
    .set(changes)
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();

/**
 * Locks some documents of folders that the caller has locked, bodies first, as needed for deletion. Ordered by id, so
 * that a source is deleted and restored before its translations.
 */
export async function lockSomeDocumentsIn(
  tx: Tx,
  workspaceId: string,
  folderIds: readonly number[],
  limit = Number.MAX_SAFE_INTEGER,
): Promise<DocumentRow[]> {
  const ids: string[] = [];
  for (const folders of batchesOf(folderIds)) {
    const found = await tx
      .selectFrom("documents")
      .select("id")
      .where("workspace_id", "=", workspaceId)
      .where("folder_id", "in", folders)
      .orderBy("id")
      .limit(limit - ids.length)
      .execute();
    for (const { id } of found) ids.push(id);
    if (ids.length >= limit) break;
  }
  const wanted = new Set(folderIds);
  return (await lockDocuments(tx, workspaceId, ids)).filter((row) => wanted.has(row.folder_id ?? 0));
}

/** Locks a few documents of a knowledge base, bodies first, as needed for deletion. */
export async function lockSomeDocumentsOf(
  tx: Tx,
  workspaceId: string,
  knowledgeBaseId: number,
  limit: number,
): Promise<DocumentRow[]> {
  const some = await tx
    .selectFrom("documents")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where("knowledge_base_id", "=", knowledgeBaseId)
    .limit(limit)
    .execute();
  const rows = await lockDocuments(
    tx,
    workspaceId,
    some.map((row) => row.id),
  );
  return rows.filter((row) => row.knowledge_base_id === knowledgeBaseId);
}

/** Bodies before documents, as the lock order requires. */
async function lockDocuments(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<DocumentRow[]> {
  await tx.lockAll("body", workspaceId, ids);
  return tx.lockAll("document", workspaceId, ids, "delete");
}

const treeColumns = ["id", "title", "document_type", "folder_id", "updated_at"] as const;
export type TreeDocument = Pick<DocumentRow, (typeof treeColumns)[number]>;

const treeRows = (db: SelectBuilder, workspaceId: string) =>
  db
    .selectFrom("documents")
    .select(treeColumns)
    .where("workspace_id", "=", workspaceId)
    .where(isNoTarget)
    .orderBy("id");

const selectTree = statement<{ workspaceId: string; knowledgeBaseId: number }, TreeDocument>(
  (db, value) => treeRows(db, value("workspaceId")).where("knowledge_base_id", "=", value("knowledgeBaseId")),
  { sharing: "shared" },
);

export const listTreeDocuments = (
  db: Reader,
  workspaceId: string,
  knowledgeBaseId: number,
): Promise<readonly TreeDocument[]> => selectTree(db, { workspaceId, knowledgeBaseId });

export const listTreeDocumentsIn = (
  db: Reader,
  workspaceId: string,
  folderIds: readonly number[],
): Promise<TreeDocument[]> => treeRows(db, workspaceId).where("folder_id", "in", folderIds).execute();

/** Directly in a knowledge base. */
export const listTopDocuments = (db: Reader, workspaceId: string, knowledgeBaseId: number): Promise<TreeDocument[]> =>
  treeRows(db, workspaceId).where("knowledge_base_id", "=", knowledgeBaseId).where("folder_id", "is", null).execute();

/** Deletes documents from the live table and schedules the removal of their stored parts. */
export async function deleteDocumentRows(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<void> {
  for (const some of batchesOf(ids)) {
    await tx.deleteFrom("documents").where("workspace_id", "=", workspaceId).where("id", "in", some).execute();
    await tx.deleteFrom("bodies").where("workspace_id", "=", workspaceId).where("document_id", "in", some).execute();
    await tx
      .deleteFrom("body_sources")
      .where("workspace_id", "=", workspaceId)
      .where("document_id", "in", some)
      .execute();
    await tx
      .deleteFrom("document_properties")
      .where("workspace_id", "=", workspaceId)
      .where("document_id", "in", some)
      .execute();
    await tx
      .insertInto("purges")
      .values(some.map((id) => ({ workspace_id: workspaceId, document_id: id })))
      .onConflict((conflict) => conflict.columns(["workspace_id", "document_id"]).doNothing())
      .execute();
  }
}
