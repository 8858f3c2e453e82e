import * as Y from "yjs";
import type { Reader, Tx } from "../../db/database.ts";
import type { DocumentKey } from "../../db/document-key.ts";
import type { LiveDocumentRow } from "../../db/schema/tables/live.ts";
import { listUpdates, liveTopic, removeLive } from "./queries.ts";

/**
 * Drops a live state. Keeps a record of which updates are in the body, so that a tab that reconnects later knows which
 * of its own are missing. The caller holds the row's lock.
 */
export async function endEpoch(tx: Tx, key: DocumentKey, row: LiveDocumentRow): Promise<void> {
  const { epoch, state, state_seq: after, folded_seq: upTo } = row;
  const rows = await listUpdates(tx, { ...key, epoch, after, upTo });
  const folded = Y.mergeUpdates([state, ...rows.map(({ payload }) => payload)].map((bytes) => new Uint8Array(bytes)));
  await tx
    .insertInto("live_epochs")
    .values({
      workspace_id: key.workspaceId,
      document_id: key.documentId,
      epoch,
      state_vector: Y.encodeStateVectorFromUpdate(folded),
      ended_at: Date.now(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await removeLive(tx, key.workspaceId, [key.documentId]);
  tx.announce(liveTopic(key.documentId));
}

/** Which updates of an ended epoch are in the body, if that is still known. */
export const findEpoch = (db: Reader, key: DocumentKey, epoch: string) =>
  db
    .selectFrom("live_epochs")
    .select(["state_vector", "ended_at"])
    .where("workspace_id", "=", key.workspaceId)
    .where("document_id", "=", key.documentId)
    .where("epoch", "=", epoch)
    .executeTakeFirst();
