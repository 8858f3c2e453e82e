import type { Reader } from "../../../db/database.ts";
import type { DocumentRow } from "../../../db/schema/tables/documents.ts";
import type { SearchBlockTable, SearchDocumentRow } from "../../../db/schema/tables/search.ts";
import { statement } from "../../../db/statement/statement.ts";

/** Left joins are made in the order they are written in: SQLite would otherwise begin with all documents. */
const blocksByNumber = statement<{ workspaceId: string; numbers: readonly number[] }, ReadRow>(
  (db, value) =>
    db
      .selectFrom("search_blocks as b")
      .leftJoin("search_documents as s", (join) =>
        join.onRef("s.workspace_id", "=", "b.workspace_id").onRef("s.number", "=", "b.document"),
      )
      .leftJoin("documents as d", (join) =>
        join.onRef("d.workspace_id", "=", "s.workspace_id").onRef("d.id", "=", "s.document_id"),
      )
      .select(["b.number", "b.document", "b.block_id", "b.text", "b.section", "s.indexed_version", "s.outline_version"])
      .select(["d.id", "d.title", "d.knowledge_base_id", "d.folder_id", "d.document_type", "d.version", "d.updated_at"])
      .where("b.workspace_id", "=", value("workspaceId"))
      .where("b.number", "in", value("numbers")),
  { list: "numbers" },
);

/** An indexed block, whose id is empty for the title, and its document. */
export type HitRow = Pick<SearchBlockTable, "number" | "document" | "block_id" | "text" | "section"> &
  Pick<SearchDocumentRow, "indexed_version" | "outline_version"> &
  Pick<DocumentRow, "id" | "title" | "knowledge_base_id" | "folder_id" | "document_type" | "version" | "updated_at">;

type ReadRow = { readonly [column in keyof HitRow]: HitRow[column] | null };

const isCurrent = (row: ReadRow): row is HitRow => row.id !== null && row.indexed_version === row.version;

/** Only of documents that are there and indexed in their current version. */
export const findHitRows = async (db: Reader, workspaceId: string, numbers: readonly number[]): Promise<HitRow[]> =>
  (await blocksByNumber(db, { workspaceId, numbers })).filter(isCurrent);
