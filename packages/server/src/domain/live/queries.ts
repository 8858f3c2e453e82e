import type { Reader, Tx } from "../../db/database.ts";
import type { DocumentKey } from "../../db/document-key.ts";
import type { LiveDocumentRow, LiveUpdateRow } from "../../db/schema/tables/live.ts";
import { statement } from "../../db/statement/statement.ts";

export const LIVE_TOPIC = "live:";

/** The topic announced when a live document has new rows, a new fold or other people. */
export const liveTopic = (documentId: string): string => `${LIVE_TOPIC}${documentId}`;

const selectLive = statement<DocumentKey, LiveDocumentRow>((db, value) =>
  db
    .selectFrom("live_documents")
    .selectAll()
    .where("workspace_id", "=", value("workspaceId"))
    .where("document_id", "=", value("documentId")),
);

export const findLive = async (db: Reader, key: DocumentKey): Promise<LiveDocumentRow | undefined> =>
  (await selectLive(db, key))[0];

/** Locks the live row until the end of the transaction. A caller that also needs the body's row locks that first. */
export const lockLive = (tx: Tx, { workspaceId, documentId }: DocumentKey): Promise<LiveDocumentRow | undefined> =>
  tx.lock("live_document", workspaceId, documentId);

/** The fields of a live document without its state. */
export type LiveHead = Pick<
  LiveDocumentRow,
  "epoch" | "last_seq" | "folded_seq" | "folded_version" | "holder" | "holder_until" | "unfolded_since"
> & { readonly version: string };

const selectHead = statement<DocumentKey, LiveHead>((db, value) =>
  db
    .selectFrom("live_documents as l")
    .innerJoin("bodies as b", (join) =>
      join.onRef("b.workspace_id", "=", "l.workspace_id").onRef("b.document_id", "=", "l.document_id"),
    )
    .select([
      "l.epoch",
      "l.last_seq",
      "l.folded_seq",
      "l.folded_version",
      "l.holder",
      "l.holder_until",
      "l.unfolded_since",
      "b.version",
    ])
    .where("l.workspace_id", "=", value("workspaceId"))
    .where("l.document_id", "=", value("documentId")),
);

export const findHead = async (db: Reader, key: DocumentKey): Promise<LiveHead | undefined> =>
  (await selectHead(db, key))[0];

type RowsOf = DocumentKey & { readonly epoch: string; readonly after: number; readonly upTo: number };

const selectRows = statement<RowsOf, LiveUpdateRow>((db, value) =>
  db
    .selectFrom("live_updates")
    .selectAll()
    .where("workspace_id", "=", value("workspaceId"))
    .where("document_id", "=", value("documentId"))
    .where("epoch", "=", value("epoch"))
    .where("seq", ">", value("after"))
    .where("seq", "<=", value("upTo"))
    .orderBy("seq"),
);

/** Updates between two numbers, in order. */
export const listUpdates = (db: Reader, of: RowsOf): Promise<LiveUpdateRow[]> => selectRows(db, of);

const insertRows = statement<{ rows: readonly LiveUpdateRow[] }, unknown>(
  (tx, value) => tx.insertInto("live_updates").values(value("rows")),
  {
    rows: "rows",
    fields: [
      ...(["workspace_id", "document_id", "epoch", "seq", "payload", "client", "connection", "user_id"] as const),
      ...(["place", "created_at"] as const),
    ],
  },
);

export const insertUpdates = (tx: Tx, rows: readonly LiveUpdateRow[]): Promise<void> =>
  insertRows.enqueue(tx, { rows });

export const insertLive = (tx: Tx, row: LiveDocumentRow) => tx.insertInto("live_documents").values(row).execute();

export const updateLive = (tx: Tx, key: DocumentKey, change: Partial<LiveDocumentRow>) =>
  tx
    .updateTable("live_documents")
    .set(change)
    .where("workspace_id", "=", key.workspaceId)
    .where("document_id", "=", key.documentId)
    .execute();

/** Deletes all live-editing data of documents except their restore points. */
export async function removeLive(tx: Tx, workspaceId: string, documentIds: readonly string[]): Promise<void> {
  for (const table of ["live_documents", "live_updates", "live_people"] as const)
    await tx
      .deleteFrom(table)
      .where("workspace_id", "=", workspaceId)
      .where("document_id", "in", documentIds)
      .execute();
}
