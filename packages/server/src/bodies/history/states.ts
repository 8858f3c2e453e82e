import type { DocumentKey } from "../../db/document-key.ts";
import type { HistorySegmentRow, HistoryStateRow } from "../../db/schema/tables/history.ts";
import { statement } from "../../db/statement/statement.ts";

const COLUMNS = [
  "workspace_id",
  "document_id",
  "id",
  "place",
  "kind",
  "user_id",
  "version",
  "step",
  "writers",
  "started_at",
  "ended_at",
  "name",
  "byte_size",
  "due_at",
] as const;

export const insertStates = statement<{ rows: readonly HistoryStateRow[] }, unknown>(
  (tx, value) =>
    tx
      .insertInto("history_states")
      .values(value("rows"))
      .onConflict((conflict) =>
        conflict.columns(["workspace_id", "document_id", "id"]).doUpdateSet((eb) => ({
          place: eb.ref("excluded.place"),
          version: eb.ref("excluded.version"),
          step: eb.ref("excluded.step"),
          writers: eb.ref("excluded.writers"),
          started_at: eb.ref("excluded.started_at"),
          ended_at: eb.ref("excluded.ended_at"),
          byte_size: eb.ref("excluded.byte_size"),
          due_at: eb.ref("excluded.due_at"),
        })),
      ),
  { rows: "rows", fields: COLUMNS },
);

/** The newest state gets its step, because another one follows. */
export const supersedeNewest = statement<DocumentKey & { readonly step: string }, unknown>((db, value) =>
  db
    .updateTable("history_states")
    .set({ step: value("step") })
    .where("workspace_id", "=", value("workspaceId"))
    .where("document_id", "=", value("documentId"))
    .where("step", "is", null),
);

/** The newest states; the rest of a document's states are older. */
export const selectNewest = statement<DocumentKey & { readonly limit: number }, HistoryStateRow>((db, value) =>
  db
    .selectFrom("history_states")
    .selectAll()
    .where("workspace_id", "=", value("workspaceId"))
    .where("document_id", "=", value("documentId"))
    .orderBy("place", "desc")
    .limit(value("limit")),
);

/** Keeps segments that the body drops; one that is kept already stays as it is. */
export const keepSegments = statement<{ rows: readonly HistorySegmentRow[] }, unknown>(
  (tx, value) =>
    tx
      .insertInto("history_segments")
      .values(value("rows"))
      .onConflict((conflict) => conflict.columns(["workspace_id", "document_id", "hash"]).doNothing()),
  { rows: "rows", fields: ["workspace_id", "document_id", "hash", "place"] },
);

/** Keeps segments no longer, unless a state at this place or before it needs them. */
export const releaseSegments = statement<
  DocumentKey & { readonly after: number; readonly hashes: readonly string[] },
  unknown
>(
  (db, value) =>
    db
      .deleteFrom("history_segments")
      .where("workspace_id", "=", value("workspaceId"))
      .where("document_id", "=", value("documentId"))
      .where("place", ">", value("after"))
      .where("hash", "in", value("hashes")),
  { list: "hashes" },
);

export const nameState = statement<
  DocumentKey & { readonly id: string; readonly name: string | null; readonly dueAt: number | null },
  unknown
>((db, value) =>
  db
    .updateTable("history_states")
    .set({ name: value("name"), due_at: value("dueAt") })
    .where("workspace_id", "=", value("workspaceId"))
    .where("document_id", "=", value("documentId"))
    .where("id", "=", value("id")),
);
