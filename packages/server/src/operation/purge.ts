import { setTimeout as sleep } from "node:timers/promises";
import { purgeSome } from "../resources/trash/purge.ts";
import { deleteExpiredTrash } from "../resources/trash/queries.ts";
import type { Services } from "../services.ts";

const IDLE_MS = 1_000;
/** Documents per transaction: small, so that others can write in between. */
const BATCH = 20;

/** Removes the stored parts of deleted documents and what the trash no longer keeps, a little at a time. */
export function startPurge({ database, log }: Services): () => Promise<void> {
  const stop = new AbortController();
  const step = async (): Promise<boolean> => {
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
  const loop = async () => {
    while (!stop.signal.aborted) {
      const more = await step().catch((error) => {
        log.warn({ err: error }, "purge failed");
        return false;
      });
      await sleep(more ? 1 : IDLE_MS, undefined, { signal: stop.signal, ref: false }).catch(() => undefined);
    }
  };
  const running = loop();
  return () => {
    stop.abort();
    return running;
  };
}
