import { StoredBody } from "../../bodies/body.ts";
import { getSnapshot } from "../../bodies/snapshots.ts";
import { type DocumentKey, loadSegments, SegmentMissing } from "../../bodies/store.ts";
import type { Db } from "../../db/database.ts";

/** The body as a snapshot kept it. */
export async function loadVersion(db: Db, key: DocumentKey, seq: number, retention: number): Promise<StoredBody> {
  const { version, documentType, manifest } = await getSnapshot(db, key, seq, retention);
  try {
    const segments = await loadSegments(db, key, manifest);
    return new StoredBody({ version, revision: seq, document_type: documentType }, segments);
  } catch (error) {
    if (!(error instanceof SegmentMissing)) throw error;
    // A write in between may have pruned the snapshot with its segments; if it is still there, the store is broken.
    await getSnapshot(db, key, seq, retention);
    throw error;
  }
}
