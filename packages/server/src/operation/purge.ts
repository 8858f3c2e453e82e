import { Loop } from "../background/loop.ts";
import { purgeSome } from "../domain/lifecycle/trash/purge.ts";
import { deleteExpiredTrash } from "../domain/lifecycle/trash/queries.ts";
import type { Services } from "../services.ts";

/** Documents per transaction: few, so that others can write in between. */
const BATCH = 20;
const PAUSE_MS = 1000;

/** Removes the stored parts of deleted documents and expired entries of the trash, a few at a time. */
export function startPurge({ database, log }: Pick<Services, "database" | "log">): () => Promise<void> {
  const round = async (): Promise<boolean> => {
    const pending = await database.read.selectFrom("purges").select("document_id").limit(1).execute();
    const now = Date.now();
    const expired = await database.read
      .selectFrom("trash")
      .select("id")
      .where("expires_at", "<=", now)
      .limit(1)
      .execute();
    if (pending.length + expired.length === 0) return false;
    return database.transaction(async (tx) => {
      const more = await deleteExpiredTrash(tx, now, BATCH);
      return (await purgeSome(tx, BATCH)) || more;
    });
  };
  const failed = (error: unknown) => log.warn({ err: error }, "purge failed");
  return new Loop({ round, pauseMs: PAUSE_MS, firstAfterMs: 0, failed }).stop;
}
