import { amongUpdates, type DocumentKey } from "../../db/document-key.ts";
import type { LiveUpdateRow } from "../../db/schema/tables/live.ts";
import type { Services } from "../../services.ts";
import { insertUpdates, liveTopic } from "./queries.ts";

/** The live state was recreated: updates for the previous one do not apply to it. */
export class EpochEnded extends Error {}

type NewUpdate = Pick<LiveUpdateRow, "payload" | "client" | "connection" | "user_id" | "place">;

/**
 * Stores updates in order and announces them. Returns the number of the first. Locks only the live row, so that it
 * waits for no other writer of the document except a fold.
 */
export const appendUpdates = (
  { database }: Pick<Services, "database">,
  key: DocumentKey,
  epoch: string,
  updates: readonly NewUpdate[],
): Promise<number> =>
  database.transaction(async (tx) => {
    const now = Date.now();
    const bytes = updates.reduce((sum, { payload }) => sum + payload.length, 0);
    const row = await tx
      .updateTable("live_documents")
      .set((eb) => ({
        last_seq: eb("last_seq", "+", updates.length),
        bytes_since: eb("bytes_since", "+", bytes),
        unfolded_since: eb.fn.coalesce("unfolded_since", eb.val(now)),
        used_at: now,
      }))
      .where("workspace_id", "=", key.workspaceId)
      .where("document_id", "=", key.documentId)
      .where("epoch", "=", epoch)
      .returning("last_seq")
      .executeTakeFirst();
    if (!row) throw new EpochEnded();
    const first = row.last_seq - updates.length + 1;
    await insertUpdates(
      tx,
      updates.map((update, i) => ({
        ...update,
        workspace_id: key.workspaceId,
        document_id: key.documentId,
        epoch,
        seq: first + i,
        created_at: now,
      })),
    );
    tx.announce(liveTopic(key.documentId));
    return first;
  }, amongUpdates(key));

/** Returns a Yjs client id that is unique in this epoch: an odd one, because even ones belong to folds. */
export const takeClient = (
  { database }: Pick<Services, "database">,
  key: DocumentKey,
  epoch: string,
): Promise<number> =>
  database.transaction(async (tx) => {
    const row = await tx
      .updateTable("live_documents")
      .set((eb) => ({
        next_client: eb("next_client", "+", eb(eb.val(2), "-", eb("next_client", "%", 2))),
        used_at: Date.now(),
      }))
      .where("workspace_id", "=", key.workspaceId)
      .where("document_id", "=", key.documentId)
      .where("epoch", "=", epoch)
      .returning("next_client")
      .executeTakeFirst();
    if (!row) throw new EpochEnded();
    return row.next_client - 1;
  });
