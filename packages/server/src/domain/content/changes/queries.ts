import type { Reader, Tx } from "../../../db/database.ts";
import type { DocumentKey } from "../../../db/document-key.ts";
import type { ChangeRow } from "../../../db/schema/tables/events.ts";
import { statement } from "../../../db/statement/statement.ts";

export const insertChange = statement<ChangeRow, unknown>((tx, value) =>
  tx.insertInto("changes").values({
    workspace_id: value("workspace_id"),
    document_id: value("document_id"),
    revision: value("revision"),
    before_version: value("before_version"),
    version: value("version"),
    item_count: value("item_count"),
    items: value("items"),
  }),
);

const deleteUpTo = statement<DocumentKey & { revision: number }, unknown>((tx, value) =>
  tx
    .deleteFrom("changes")
    .where("workspace_id", "=", value("workspaceId"))
    .where("document_id", "=", value("documentId"))
    .where("revision", "<=", value("revision")),
);

export const deleteChangesUpTo = (tx: Tx, key: DocumentKey, revision: number) =>
  deleteUpTo.enqueue(tx, { ...key, revision });

const ofDocument = (db: Reader, { workspaceId, documentId }: DocumentKey) =>
  db.selectFrom("changes").where("workspace_id", "=", workspaceId).where("document_id", "=", documentId);

/** Number of blocks in each write, newest first. */
export const listChangeSizes = statement<DocumentKey, Pick<ChangeRow, "revision" | "item_count">>((db, value) =>
  db
    .selectFrom("changes")
    .select(["revision", "item_count"])
    .where("workspace_id", "=", value("workspaceId"))
    .where("document_id", "=", value("documentId"))
    .orderBy("revision", "desc"),
);

/** The writes between two revisions, in order. */
export const listChanges = (
  db: Reader,
  key: DocumentKey,
  from: number,
  to: number,
  limit: number,
): Promise<ChangeRow[]> =>
  ofDocument(db, key)
    .selectAll()
    .where("revision", ">", from)
    .where("revision", "<=", to)
    .orderBy("revision")
    .limit(limit)
    .execute();
