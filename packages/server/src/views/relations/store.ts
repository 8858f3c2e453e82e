import type { Reader, SelectBuilder, Tx } from "../../db/database.ts";
import type { InlineRelationRow } from "../../db/schema/tables/relations.ts";
import { statement } from "../../db/statement/statement.ts";

export type LinkRow = InlineRelationRow;

const linkRows = (db: SelectBuilder, workspaceId: string, documentId: string) =>
  db
    .selectFrom("inline_relations")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("document_id", "=", documentId);

const linksOf = statement<{ workspaceId: string; documentId: string }, LinkRow>((db, value) =>
  linkRows(db, value("workspaceId"), value("documentId")).orderBy("id"),
);

export const listLinks = (db: Reader, workspaceId: string, documentId: string): Promise<LinkRow[]> =>
  linksOf(db, { workspaceId, documentId });

const linksIn = statement<{ workspaceId: string; documentId: string; topBlockIds: readonly string[] }, LinkRow>(
  (db, value) =>
    linkRows(db, value("workspaceId"), value("documentId"))
      .where("top_block_id", "in", value("topBlockIds"))
      .orderBy("id"),
  { list: "topBlockIds" },
);

/** The stored links of some top-level blocks. */
export const listLinksIn = (
  db: Reader,
  workspaceId: string,
  documentId: string,
  topBlockIds: readonly string[],
): Promise<LinkRow[]> => linksIn(db, { workspaceId, documentId, topBlockIds });

const insertRows = statement<{ rows: readonly LinkRow[] }, unknown>(
  (tx, value) => tx.insertInto("inline_relations").values(value("rows")),
  {
    rows: "rows",
    fields: [
      ...(["workspace_id", "id", "document_id", "source_block_id", "top_block_id", "target_uri"] as const),
      ...(["target_document_id", "target_block_id", "via", "anchor_text", "created_by", "created_at"] as const),
    ],
  },
);

export const insertLinks = (tx: Tx, rows: readonly LinkRow[]): Promise<void> => insertRows.enqueue(tx, { rows });

export const updateLink = (tx: Tx, { workspace_id, id, top_block_id, anchor_text }: LinkRow) =>
  tx
    .updateTable("inline_relations")
    .set({ top_block_id, anchor_text })
    .where("workspace_id", "=", workspace_id)
    .where("id", "=", id)
    .execute();

const deletedLinks = statement<{ workspaceId: string; ids: readonly string[] }, unknown>(
  (tx, value) =>
    tx.deleteFrom("inline_relations").where("workspace_id", "=", value("workspaceId")).where("id", "in", value("ids")),
  { list: "ids" },
);

export const deleteLinks = (tx: Tx, workspaceId: string, ids: readonly string[]): Promise<void> =>
  deletedLinks.enqueue(tx, { workspaceId, ids });

interface ViewStep {
  readonly workspaceId: string;
  readonly documentId: string;
  readonly from: string;
  readonly to: string;
}

/** Moves a document's view from one version to the next. Returns no row if it was at another version. */
export const advanceView = statement<ViewStep, { document_id: string }>((tx, value) =>
  tx
    .updateTable("relation_views")
    .set({ version: value("to") })
    .where("workspace_id", "=", value("workspaceId"))
    .where("document_id", "=", value("documentId"))
    .where("version", "=", value("from"))
    .returning("document_id"),
);

const putView = statement<Omit<ViewStep, "from">, unknown>((tx, value) =>
  tx
    .insertInto("relation_views")
    .values({ workspace_id: value("workspaceId"), document_id: value("documentId"), version: value("to") })
    .onConflict((conflict) => conflict.columns(["workspace_id", "document_id"]).doUpdateSet({ version: value("to") })),
);

export const setView = (tx: Tx, workspaceId: string, documentId: string, version: string) =>
  putView.enqueue(tx, { workspaceId, documentId, to: version });
