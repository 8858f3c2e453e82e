import { Memory } from "../../bodies/memory.ts";
import type { Db } from "../../db/database.ts";
import { prepareList } from "../../db/prepared-lists.ts";
import type { DocumentRow, SearchBlockRow, SearchDocumentRow } from "../../db/tables.ts";
import type { Opening } from "./opening.ts";

/** Left joins are made in the order they are written in: SQLite would otherwise begin with all documents. */
const blocksByNumber = prepareList((db, numbers: readonly number[]) =>
  db
    .selectFrom("search_blocks as b")
    .leftJoin("search_documents as s", (join) =>
      join.onRef("s.workspace_id", "=", "b.workspace_id").onRef("s.number", "=", "b.document"),
    )
    .leftJoin("documents as d", (join) =>
      join.onRef("d.workspace_id", "=", "s.workspace_id").onRef("d.id", "=", "s.document_id"),
    )
    .select(["b.number", "b.block_id", "s.indexed_version"])
    .select(["d.id", "d.title", "d.knowledge_base_id", "d.folder_id", "d.document_type", "d.version", "d.updated_at"])
    .where("b.workspace_id", "=", "")
    .where("b.number", "in", numbers),
);

/** An indexed block, whose id is empty for the title, and its document. */
export type HitRow = Pick<SearchBlockRow, "number" | "block_id"> &
  Pick<SearchDocumentRow, "indexed_version"> &
  Pick<DocumentRow, "id" | "title" | "knowledge_base_id" | "folder_id" | "document_type" | "version" | "updated_at">;

type ReadRow = { readonly [column in keyof HitRow]: HitRow[column] | null };

/** Only documents that are there, indexed in their current version. */
const isCurrent = (row: ReadRow): row is HitRow => row.id !== null && row.indexed_version === row.version;

/** What a row takes in memory, roughly, its title apart. */
const rowBytes = 600;

/**
 * Rows of blocks that were found lately. The stamp tells that the index is the same, the last event that all documents
 * are; both belong to the reader's snapshot, and so what it gets is what a query there would give.
 */
export class HitRows {
  private readonly known = new Memory<HitRow>(8 * 1024 * 1024);

  async read(
    db: Db,
    workspaceId: string,
    { counters, event }: Opening,
    numbers: readonly number[],
  ): Promise<ReadonlyMap<number, HitRow>> {
    const state = `${workspaceId} ${counters.stamp} ${event.id} ${event.createdAt} `;
    const rows = new Map<number, HitRow>();
    const missing: number[] = [];
    for (const number of numbers) {
      const row = this.known.get(state + number);
      if (row) rows.set(number, row);
      else missing.push(number);
    }
    if (missing.length === 0) return rows;
    for (const row of (await blocksByNumber(db, [workspaceId], missing)).filter(isCurrent)) {
      rows.set(row.number, row);
      this.known.set(state + row.number, row, rowBytes + 2 * row.title.length);
    }
    return rows;
  }
}
