import type { Reader } from "../../../db/database.ts";
import type { DocumentRow } from "../../../db/schema/tables/documents.ts";
import type { SearchBlockTable, SearchDocumentTable } from "../../../db/schema/tables/search.ts";
import { statement } from "../../../db/statement/statement.ts";

type Numbers = { readonly workspaceId: string; readonly numbers: readonly number[] };

/** An indexed block; its id is empty for the title. */
export type BlockRow = Readonly<Pick<SearchBlockTable, "number" | "document" | "block_id" | "text" | "section">>;

/** Selects only the blocks, because most documents are in memory: joined rows take twice as long to read. */
const blocksByNumber = statement<Numbers, BlockRow>(
  (db, value) =>
    db
      .selectFrom("search_blocks")
      .select(["number", "document", "block_id", "text", "section"])
      .where("workspace_id", "=", value("workspaceId"))
      .where("number", "in", value("numbers")),
  { list: "numbers" },
);

export const findBlockRows = (db: Reader, workspaceId: string, numbers: readonly number[]): Promise<BlockRow[]> =>
  blocksByNumber(db, { workspaceId, numbers });

/** A document by its number in the index, with its headings. */
export type HitDocumentRow = Readonly<
  Pick<SearchDocumentTable, "number" | "indexed_version" | "outline_version" | "outline"> &
    Pick<DocumentRow, "id" | "title" | "knowledge_base_id" | "folder_id" | "document_type" | "version" | "updated_at">
>;

type ReadRow = { readonly [column in keyof HitDocumentRow]: HitDocumentRow[column] | null };

/** A left join runs in the order in which it is written: otherwise SQLite would begin with all documents. */
const documentsByNumber = statement<Numbers, ReadRow>(
  (db, value) =>
    db
      .selectFrom("search_documents as s")
      .leftJoin("documents as d", (join) =>
        join.onRef("d.workspace_id", "=", "s.workspace_id").onRef("d.id", "=", "s.document_id"),
      )
      .select(["s.number", "s.indexed_version", "s.outline_version", "s.outline"])
      .select(["d.id", "d.title", "d.knowledge_base_id", "d.folder_id", "d.document_type", "d.version", "d.updated_at"])
      .where("s.workspace_id", "=", value("workspaceId"))
      .where("s.number", "in", value("numbers")),
  { list: "numbers" },
);

const isCurrent = (row: ReadRow): row is HitDocumentRow => row.id !== null && row.indexed_version === row.version;

/** Returns only documents that exist and are indexed in their current version. */
export const findHitDocuments = async (
  db: Reader,
  workspaceId: string,
  numbers: readonly number[],
): Promise<HitDocumentRow[]> => (await documentsByNumber(db, { workspaceId, numbers })).filter(isCurrent);
