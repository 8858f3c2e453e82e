import type { Db } from "../../db/database.ts";
import type { SearchBlockRow, SearchDocumentRow } from "../../db/tables.ts";
import { filled } from "./stored-index.ts";

const batch = 256;

/** Runs a query on a long list in parts of few different lengths. */
async function inBatches<T, Row>(items: readonly T[], query: (some: readonly T[]) => Promise<Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for (let i = 0; i < items.length; i += batch) rows.push(...(await query(filled(items.slice(i, i + batch)))));
  return rows;
}

export const findIndexedDocuments = (db: Db, workspaceId: string, ids: readonly string[]) =>
  inBatches(ids, (some) =>
    db
      .selectFrom("search_documents")
      .selectAll()
      .where("workspace_id", "=", workspaceId)
      .where("document_id", "in", some)
      .execute(),
  );

export const findDocumentsByNumber = (db: Db, workspaceId: string, numbers: readonly number[]) =>
  inBatches(numbers, (some) =>
    db
      .selectFrom("search_documents")
      .selectAll()
      .where("workspace_id", "=", workspaceId)
      .where("number", "in", some)
      .execute(),
  );

export const putIndexedDocument = (tx: Db, row: SearchDocumentRow) =>
  tx
    .insertInto("search_documents")
    .values(row)
    .onConflict((conflict) => conflict.columns(["workspace_id", "document_id"]).doUpdateSet(row))
    .execute();

export const deleteIndexedDocuments = (tx: Db, workspaceId: string, ids: readonly string[]) =>
  inBatches(ids, (some) =>
    tx
      .deleteFrom("search_documents")
      .where("workspace_id", "=", workspaceId)
      .where("document_id", "in", some)
      .execute(),
  );

/** A document's blocks in the index, by id; the title's is empty. */
export const findBlocksById = (db: Db, workspaceId: string, document: number, ids: readonly string[]) =>
  inBatches(ids, (some) =>
    db
      .selectFrom("search_blocks")
      .selectAll()
      .where("workspace_id", "=", workspaceId)
      .where("document", "=", document)
      .where("block_id", "in", some)
      .execute(),
  );

export const findBlocksByNumber = (db: Db, workspaceId: string, numbers: readonly number[]) =>
  inBatches(numbers, (some) =>
    db
      .selectFrom("search_blocks")
      .selectAll()
      .where("workspace_id", "=", workspaceId)
      .where("number", "in", some)
      .execute(),
  );

export const listBlocksOf = (db: Db, workspaceId: string, document: number, limit: number): Promise<SearchBlockRow[]> =>
  db
    .selectFrom("search_blocks")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("document", "=", document)
    .limit(limit)
    .execute();

export async function insertBlocks(tx: Db, rows: readonly SearchBlockRow[]): Promise<void> {
  for (let i = 0; i < rows.length; i += batch)
    await tx
      .insertInto("search_blocks")
      .values(rows.slice(i, i + batch))
      .execute();
}

export const deleteBlocks = (tx: Db, workspaceId: string, numbers: readonly number[]) =>
  inBatches(numbers, (some) =>
    tx.deleteFrom("search_blocks").where("workspace_id", "=", workspaceId).where("number", "in", some).execute(),
  );

/** Hides a document number's blocks until they are removed, or, while `building`, until they are whole. */
export async function hideNumbers(
  tx: Db,
  workspaceId: string,
  numbers: readonly number[],
  building: 0 | 1,
): Promise<void> {
  for (let i = 0; i < numbers.length; i += batch)
    await tx
      .insertInto("search_hidden")
      .values(numbers.slice(i, i + batch).map((number) => ({ workspace_id: workspaceId, number, building })))
      .onConflict((conflict) => conflict.columns(["workspace_id", "number"]).doUpdateSet({ building }))
      .execute();
}

export const showNumber = (tx: Db, workspaceId: string, number: number) =>
  tx.deleteFrom("search_hidden").where("workspace_id", "=", workspaceId).where("number", "=", number).execute();

export const listHidden = (db: Db, workspaceId: string) =>
  db.selectFrom("search_hidden").select("number").where("workspace_id", "=", workspaceId).execute();
