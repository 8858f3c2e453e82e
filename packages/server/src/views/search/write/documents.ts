import { sql } from "kysely";
import type { Reader, SelectBuilder, Tx } from "../../../db/database.ts";
import type { SearchBlockRow, SearchDocumentRow, SearchDocumentTable } from "../../../db/schema/tables/search.ts";
import { statement, type ValueOf } from "../../../db/statement/statement.ts";

/** The columns without the outline, which may be long. */
const documentColumns = [
  "workspace_id",
  "document_id",
  "number",
  "indexed_version",
  "indexed_epoch",
  "blocks",
  "outline_version",
] as const;
const blockColumns = ["workspace_id", "number", "document", "block_id", "length"] as const;

type Ids = { readonly workspaceId: string; readonly ids: readonly string[] };

const indexedDocuments = statement<Ids, SearchDocumentRow>(
  (db, value) =>
    db
      .selectFrom("search_documents")
      .select(documentColumns)
      .where("workspace_id", "=", value("workspaceId"))
      .where("document_id", "in", value("ids")),
  { list: "ids" },
);
export const findIndexedDocuments = (db: Reader, workspaceId: string, ids: readonly string[]) =>
  indexedDocuments(db, { workspaceId, ids });

const putDocument = statement<SearchDocumentTable, unknown>((tx, value) => {
  const changed = {
    number: value("number"),
    indexed_version: value("indexed_version"),
    indexed_epoch: value("indexed_epoch"),
    blocks: value("blocks"),
    outline: value("outline"),
    outline_version: value("outline_version"),
  };
  return tx
    .insertInto("search_documents")
    .values({ workspace_id: value("workspace_id"), document_id: value("document_id"), ...changed })
    .onConflict((conflict) => conflict.columns(["workspace_id", "document_id"]).doUpdateSet(changed));
});
export const putIndexedDocument = (tx: Tx, row: SearchDocumentTable) => putDocument.enqueue(tx, row);

/** Sets the version of a document in the index. Leaves the columns unchanged that the table's indexes use. */
export const noteIndexedVersion = statement<SearchDocumentRow, unknown>((tx, value) =>
  tx
    .updateTable("search_documents")
    .set({
      indexed_version: value("indexed_version"),
      blocks: value("blocks"),
      outline_version: value("outline_version"),
    })
    .where("workspace_id", "=", value("workspace_id"))
    .where("document_id", "=", value("document_id")),
);

/** Stores a document's headings, of the version in its row. */
export const noteOutline = statement<{ workspaceId: string; documentId: string; outline: string }, unknown>(
  (tx, value) =>
    tx
      .updateTable("search_documents")
      .set({ outline: value("outline") })
      .where("workspace_id", "=", value("workspaceId"))
      .where("document_id", "=", value("documentId")),
);

/** Stores the new section of a document's blocks. */
export const moveBlocks = statement<Ids & { readonly document: number; readonly section: string }, unknown>(
  (tx, value) =>
    tx
      .updateTable("search_blocks")
      .set({ section: value("section") })
      .where("workspace_id", "=", value("workspaceId"))
      .where("document", "=", value("document"))
      .where("block_id", "in", value("ids")),
  { list: "ids" },
);

const deletedDocuments = statement<Ids, unknown>(
  (tx, value) =>
    tx
      .deleteFrom("search_documents")
      .where("workspace_id", "=", value("workspaceId"))
      .where("document_id", "in", value("ids")),
  { list: "ids" },
);
export const deleteIndexedDocuments = (tx: Tx, workspaceId: string, ids: readonly string[]) =>
  deletedDocuments(tx, { workspaceId, ids });

const blocksById = statement<Ids & { readonly document: number }, SearchBlockRow>(
  (db, value) =>
    db
      .selectFrom("search_blocks")
      .select(blockColumns)
      .where("workspace_id", "=", value("workspaceId"))
      .where("document", "=", value("document"))
      .where("block_id", "in", value("ids")),
  { list: "ids" },
);
/** Finds a document's blocks in the index by id; the title's is empty. */
export const findBlocksById = (db: Reader, workspaceId: string, document: number, ids: readonly string[]) =>
  blocksById(db, { workspaceId, document, ids });

type IdsOfDocument = Ids & { readonly documentId: string };

const allBlocksOf = (db: SelectBuilder, value: ValueOf<IdsOfDocument>) =>
  db
    .selectFrom("search_documents as d")
    .innerJoin("search_blocks as b", (join) =>
      join.onRef("b.workspace_id", "=", "d.workspace_id").onRef("b.document", "=", "d.number"),
    )
    .select(["b.workspace_id", "b.number", "b.document", "b.block_id", "b.length"])
    .where("d.workspace_id", "=", value("workspaceId"))
    .where("d.document_id", "=", value("documentId"))
    .where("b.block_id", "in", value("ids"));

/**
 * The same in a form that forces PostgreSQL to find each block by its key: it does not know which documents are long,
 * and would read all blocks of one for a few of them. A missing block has no number.
 */
const eachBlockOf = (db: SelectBuilder, value: ValueOf<IdsOfDocument>) =>
  db
    .selectFrom((from) =>
      from
        .selectFrom("search_documents")
        .select(["workspace_id", "number as document"])
        .where("workspace_id", "=", value("workspaceId"))
        .where("document_id", "=", value("documentId"))
        .as("d"),
    )
    .innerJoin(
      sql<{ column1: string }>`(values ${sql.join(value("ids").map((id) => sql`(${id})`))})`.as("sought"),
      (join) => join.onTrue(),
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

const wholeDocument = statement<Omit<IdsOfDocument, "ids">, SearchBlockRow>((db, value) =>
  db
    .selectFrom("search_documents as d")
    .innerJoin("search_blocks as b", (join) =>
      join.onRef("b.workspace_id", "=", "d.workspace_id").onRef("b.document", "=", "d.number"),
    )
    .select(["b.workspace_id", "b.number", "b.document", "b.block_id", "b.length"])
    .where("d.workspace_id", "=", value("workspaceId"))
    .where("d.document_id", "=", value("documentId")),
);

const fewOfDocument = statement<IdsOfDocument, Sought>(eachBlockOf, { list: "ids" });
const manyOfDocument = statement<IdsOfDocument, SearchBlockRow>(allBlocksOf, { list: "ids" });
type Sought = SearchBlockRow | (Omit<SearchBlockRow, "number" | "length"> & { number: null; length: null });
const isThere = (row: Sought): row is SearchBlockRow => row.number !== null;

/** Finds blocks of a document when most of them are wanted: reading all takes less time than finding each. */
export async function findMostOfDocument(
  db: Reader,
  workspaceId: string,
  documentId: string,
  ids: { has(id: string): boolean },
): Promise<SearchBlockRow[]> {
  return (await wholeDocument(db, { workspaceId, documentId })).filter((row) => ids.has(row.block_id));
}

/** Finds blocks by the document's own id, without knowing its number. */
export async function findBlocksOfDocument(
  db: Reader,
  workspaceId: string,
  documentId: string,
  ids: readonly string[],
): Promise<SearchBlockRow[]> {
  const find = ids.length <= FEW_SOUGHT ? fewOfDocument : manyOfDocument;
  const rows = (await find(db, { workspaceId, documentId, ids })).filter(isThere);
  // The last id may occur more than once, to fill up the list.
  return [...new Map(rows.map((row) => [row.number, row])).values()];
}

const titleBlocks = statement<
  { workspaceId: string; documents: readonly number[] },
  Pick<SearchBlockRow, "number" | "length">
>(
  (db, value) =>
    db
      .selectFrom("search_blocks")
      .select(["number", "length"])
      .where("workspace_id", "=", value("workspaceId"))
      .where("block_id", "=", "")
      .where("document", "in", value("documents")),
  { list: "documents" },
);
export const findTitleBlocks = (db: Reader, workspaceId: string, documents: readonly number[]) =>
  titleBlocks(db, { workspaceId, documents });

export const listBlocksOf = (
  db: Reader,
  workspaceId: string,
  document: number,
  limit: number,
): Promise<SearchBlockRow[]> =>
  db
    .selectFrom("search_blocks")
    .select(blockColumns)
    .where("workspace_id", "=", workspaceId)
    .where("document", "=", document)
    .limit(limit)
    .execute();

/** Hides a document number's blocks until they are removed, or, while `building`, until they are complete. */
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

const hiddenNumbers = statement<{ workspaceId: string }, { readonly number: number }>((db, value) =>
  db.selectFrom("search_hidden").select("number").where("workspace_id", "=", value("workspaceId")),
);
export const listHidden = (db: Reader, workspaceId: string) => hiddenNumbers(db, { workspaceId });
