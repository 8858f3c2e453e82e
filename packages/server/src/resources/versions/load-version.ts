import { StoredBody } from "../../bodies/body.ts";
import { getSnapshot } from "../../bodies/snapshots.ts";
import { type DocumentKey, getBody, loadSegments } from "../../bodies/store.ts";
import type { Db } from "../../db/database.ts";

/** The body as a snapshot kept it. */
export async function loadVersion(db: Db, key: DocumentKey, seq: number): Promise<StoredBody> {
  const { document_type } = await getBody(db, key);
  const { version, manifest } = await getSnapshot(db, key, seq);
  return new StoredBody({ version, revision: seq, document_type }, await loadSegments(db, key, manifest));
}
