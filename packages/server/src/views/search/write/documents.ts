import { sql } from "kysely";
import type { Reader, SelectBuilder, Tx } from "../../../db/database.ts";
import type { SearchBlockRow, SearchDocumentRow } from "../../../db/schema/tables/search.ts";
import { prepare, prepareInsert, prepareList } from "../../../db/statement/list-statement.ts";
import { prepared } from "../../../db/statement/statement.ts";

const indexedDocuments = prepareList((db, ids: readonly string[]) =>
  db.selectFrom("search_documents").selectAll().where("workspace_id", "=", "").where("document_id", "in", ids),
);
export const findIndexedDocuments = (db: Reader, workspaceId: string, ids: readonly string[]) =>
  indexedDocuments(db, [workspaceId], ids);

const putDocuments = prepareInsert<SearchDocumentRow>(
  ["workspace_id", "document_id", "number", "indexed_version", "indexed_epoch", "blocks"],
  (tx, rows) =>
    tx
      .insertInto("search_documents")
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(["workspace_id", "document_id"]).doUpdateSet((eb) => ({
          number: eb.ref("excluded.number"),
          indexed_version: eb.ref("excluded.indexed_version"),
          indexed_epoch: eb.ref("excluded.indexed_epoch"),
          blocks: eb.ref("excluded.blocks"),
        })),
      ),
);
export const putIndexedDocument = (tx: Tx, row: SearchDocumentRow) => putDocuments(tx, [row]);

/** Which version the index holds of a document that is in it. Leaves alone what the table's indexes are about. */
export const noteIndexedVersion = prepared<SearchDocumentRow, unknown>((tx, value) =>
  tx
    .updateTable("search_documents")
    .set({ indexed_version: value("indexed_version"), blocks: value("blocks") })
    .where("workspace_id", "=", value("workspace_id"))
    .where("document_id", "=", value("document_id")),
);

const deletedDocuments = prepareList((db, ids: readonly string[]) =>
  db.deleteFrom("search_documents").where("workspace_id", "=", "").where("document_id", "in", ids),
);
export const deleteIndexedDocuments = (tx: Tx, workspaceId: string, ids: readonly string[]) =>
  deletedDocuments(tx, [workspaceId], ids);

const blocksById = prepareList((db, ids: readonly string[]) =>
  db
    .selectFrom("search_blocks")
    .selectAll()
    .where("workspace_id", "=", "")
    .where("document", "=", 0)
    .where("block_id", "in", ids),
);
/** A document's blocks in the index, by id; the title's is empty. */
export const findBlocksById = (db: Reader, workspaceId: string, document: number, ids: readonly string[]) =>
  blocksById(db, [workspaceId, document], ids);

const allBlocksOf = (db: SelectBuilder, ids: readonly string[]) =>
  db
    .selectFrom("search_documents as d")
    .innerJoin("search_blocks as b", (join) =>
      join.onRef("b.workspace_id", "=", "d.workspace_id").onRef("b.document", "=", "d.number"),
    )
    .selectAll("b")
    .where("d.workspace_id", "=", "")
    .where("d.document_id", "=", "")
    .where("b.block_id", "in", ids);

/**
 * The same in a form that leaves PostgreSQL no choice but to find each by its key: it does not know which documents are
 * long, and reads all blocks of one for a few of them. A block that is not there has no number.
 */
const eachBlockOf = (db: SelectBuilder, ids: readonly string[]) =>
  db
    .selectFrom((from) =>
      from
        .selectFrom("search_documents")
        .select(["workspace_id", "number as document"])
        .where("workspace_id", "=", "")
        .where("document_id", "=", "")
        .as("d"),
    )
    .innerJoin(sql<{ column1: string }>`(values ${sql.join(ids.map((id) => sql`(${id})`))})`.as("sought"), (join) =>
      join.onTrue(),
    )
    .select(({ selectFrom }) => {
      const block = selectFrom("search_blocks as b")
        .whereRef("b.workspace_id", "=", "d.workspace_id")
        .whereRef("b.document", "=", "d.document")
        .whereRef("b.block_id", "=", "sought.column1")
        .limit(sql.lit(1));
      return [
        "d.workspace_id",
        "d.document",
        "sought.column1 as block_id",
        block.select("b.number").as("number"),
        block.select("b.length").as("length"),
      ] as const;
    });

/** Up to this many are found one by one. */
const FEW_SOUGHT = 16;

const blocksOfDocument = prepareList<string, Sought>((db, ids) =>
  ids.length <= FEW_SOUGHT ? eachBlockOf(db, ids) : allBlocksOf(db, ids),
);
type Sought = SearchBlockRow | (Omit<SearchBlockRow, "number" | "length"> & { number: null; length: null });
const isThere = (row: Sought): row is SearchBlockRow => row.number !== null;

/** The same by the document's own id: its number need not be known. */
export async function findBlocksOfDocument(
  db: Reader,
  workspaceId: string,
  documentId: string,
  ids: readonly string[],
): Promise<SearchBlockRow[]> {
  const rows = (await blocksOfDocument(db, [workspaceId, documentId], ids)).filter(isThere);
  // The last id may have been sought more than once, to fill up the list.
  return [...new Map(rows.map((row) => [row.number, row])).values()];
}

const titleBlocks = prepareList((db, documents: readonly number[]) =>
  db
    .selectFrom("search_blocks")
    .select(["number", "length"])
    .where("workspace_id", "=", "")
    .where("block_id", "=", "")
    .where("document", "in", documents),
);
export const findTitleBlocks = (db: Reader, workspaceId: string, documents: readonly number[]) =>
  titleBlocks(db, [workspaceId, ""], documents);

export const listBlocksOf = (
  db: Reader,
  workspaceId: string,
  document: number,
  limit: number,
): Promise<SearchBlockRow[]> =>
  db
    .selectFrom("search_blocks")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("document", "=", document)
    .limit(limit)
    .execute();

/** Hides a document number's blocks until they are removed, or, while `building`, until they are whole. */
export async function hideNumbers(
  tx: Tx,
  workspaceId: string,
  numbers: readonly number[],
  building: 0 | 1,
): Promise<void> {
  for (let i = 0; i < numbers.length; i += 256)
    await tx
      .insertInto("search_hidden")
      .values(numbers.slice(i, i + 256).map((number) => ({ workspace_id: workspaceId, number, building })))
      .onConflict((conflict) => conflict.columns(["workspace_id", "number"]).doUpdateSet({ building }))
      .execute();
}

export const showNumber = (tx: Tx, workspaceId: string, number: number) =>
  tx.deleteFrom("search_hidden").where("workspace_id", "=", workspaceId).where("number", "=", number).execute();

const hiddenNumbers = prepare((db) => db.selectFrom("search_hidden").select("number").where("workspace_id", "=", ""));
export const listHidden = (db: Reader, workspaceId: string) => hiddenNumbers(db, workspaceId);
