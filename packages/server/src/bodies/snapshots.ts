import { batchesOf } from "../db/batches.ts";
import type { Db } from "../db/database.ts";
import type { DocumentType, SnapshotRow } from "../db/tables.ts";
import { notFound } from "../errors.ts";
import { followStep, type Manifest, readManifest } from "./manifest.ts";
import { type DocumentKey, getBody } from "./store.ts";

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
    for (const some of batchesOf(dropped === "" ? [] : dropped.split(",")))
      await tx
        .deleteFrom("segments")
        .where("workspace_id", "=", workspaceId)
        .where("document_id", "=", documentId)
        .where("hash", "in", some)
        .where("added_revision", "<=", seq)
        .execute();
  }
}

export interface SnapshotState {
  readonly version: string;
  readonly documentType: DocumentType;
  readonly manifest: Manifest;
}

/** The state that a snapshot keeps, found by going back from the current one step by step. */
export async function getSnapshot(db: Db, key: DocumentKey, seq: number): Promise<SnapshotState> {
  const body = await getBody(db, key);
  const steps = await db
    .selectFrom("snapshots")
    .select(["seq", "version", "manifest"])
    .where("workspace_id", "=", key.workspaceId)
    .where("document_id", "=", key.documentId)
    .where("seq", ">=", seq)
    .where("seq", "<", body.revision)
    .orderBy("seq", "desc")
    .execute();
  const asked = steps.at(-1);
  if (asked?.seq !== seq) throw notFound("version", seq);
  const manifest = steps.reduce((next, step) => followStep(step.manifest, next), readManifest(body.manifest));
  return { version: asked.version, documentType: body.document_type, manifest };
}
