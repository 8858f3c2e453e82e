import type { DocumentKey } from "../../bodies/store.ts";
import type { Db } from "../../db/database.ts";
import type { ChangeRow } from "../../db/tables.ts";

export const insertChange = (tx: Db, row: ChangeRow) => tx.insertInto("changes").values(row).execute();

export const deleteChangesUpTo = (tx: Db, { workspaceId, documentId }: DocumentKey, revision: number) =>
  tx
    .deleteFrom("changes")
    .where("workspace_id", "=", workspaceId)
    .where("document_id", "=", documentId)
    .where("revision", "<=", revision)
    .execute();

const ofDocument = (db: Db, { workspaceId, documentId }: DocumentKey) =>
  db.selectFrom("changes").where("workspace_id", "=", workspaceId).where("document_id", "=", documentId);

/** How many blocks each write mentions, newest first. */
export const listChangeSizes = (db: Db, key: DocumentKey) =>
  ofDocument(db, key).select(["revision", "item_count"]).orderBy("revision", "desc").execute();

/** The writes that led from one revision to another, in order. */
export const listChanges = (db: Db, key: DocumentKey, from: number, to: number, limit: number): Promise<ChangeRow[]> =>
  ofDocument(db, key)
    .selectAll()
    .where("revision", ">", from)
    .where("revision", "<=", to)
    .orderBy("revision")
    .limit(limit)
    .execute();
