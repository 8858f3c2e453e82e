import { pack } from "../../../bodies/packing.ts";
import type { Tx } from "../../../db/database.ts";
import type { DocumentRow, SiblingPlaceRow } from "../../../db/schema/tables/documents.ts";
import { findPlace, restorePlace } from "../../library/order/queries.ts";
import { bytesColumn, type OwnedTable, restoredTableNames } from "./owned-tables.ts";

type Row = Record<string, unknown>;

/** A deleted document as the trash stores it: its row and every row that belongs to it. */
export interface PackedDocument {
  readonly document: DocumentRow;
  readonly rows: Partial<Record<OwnedTable, Row[]>>;
  /** Its place in a manual order. */
  readonly place?: SiblingPlaceRow | undefined;
}

export async function packDocument(tx: Tx, document: DocumentRow): Promise<Uint8Array> {
  const rows: PackedDocument["rows"] = {};
  for (const table of restoredTableNames) {
    const found: Row[] = await tx
      .selectFrom(table)
      .selectAll()
      .where("workspace_id", "=", document.workspace_id)
      .where("document_id", "=", document.id)
      .execute();
    rows[table] = found.map(
      withBytes(table, (bytes) => bytes instanceof Uint8Array && Buffer.from(bytes).toString("base64")),
    );
  }
  const place = await findPlace(tx, document.workspace_id, document.id);
  return pack({ document, rows, place } satisfies PackedDocument);
}

export async function insertRows(tx: Tx, { rows, place }: PackedDocument): Promise<void> {
  if (place) await restorePlace(tx, place);
  for (const table of restoredTableNames) {
    const list = (rows[table] ?? []).map(withBytes(table, (text) => Buffer.from(String(text), "base64")));
    for (let i = 0; i < list.length; i += 100)
      await tx
        .insertInto(table)
        .values(list.slice(i, i + 100) as never)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
  }
}

/** Converts a row's binary columns, which JSON cannot represent. */
const withBytes = (table: OwnedTable, change: (value: unknown) => unknown) => {
  const column = bytesColumn(table);
  return (row: Row): Row => (column === undefined ? row : { ...row, [column]: change(row[column]) });
};
