import type { Db } from "../db/database.ts";
import type { SnapshotRow } from "../db/tables.ts";
import { notFound } from "../errors.ts";
import type { DocumentKey } from "./store.ts";

export const insertSnapshot = (tx: Db, snapshot: SnapshotRow) => tx.insertInto("snapshots").values(snapshot).execute();

/**
 * Removes snapshots up to a seq, and the segments that nothing needs any more: those that the revision after the
 * removed one no longer had, unless a later revision brought them in again.
 */
export async function pruneSnapshots(tx: Db, { workspaceId, documentId }: DocumentKey, upTo: number): Promise<void> {
  if (upTo < 1) return;
  const pruned = await tx
    .deleteFrom("snapshots")
    .where("workspace_id", "=", workspaceId)
    .where("document_id", "=", documentId)
    .where("seq", "<=", upTo)
    .returning(["seq", "dropped"])
    .execute();
  for (const { seq, dropped } of pruned) {
    if (dropped === "") continue;
    await tx
      .deleteFrom("segments")
      .where("workspace_id", "=", workspaceId)
      .where("document_id", "=", documentId)
      .where("hash", "in", dropped.split(","))
      .where("added_revision", "<=", seq)
      .execute();
  }
}

export async function getSnapshot(db: Db, { workspaceId, documentId }: DocumentKey, seq: number): Promise<SnapshotRow> {
  const snapshot = await db
    .selectFrom("snapshots")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("document_id", "=", documentId)
    .where("seq", "=", seq)
    .executeTakeFirst();
  if (!snapshot) throw notFound("version", seq);
  return snapshot;
}
