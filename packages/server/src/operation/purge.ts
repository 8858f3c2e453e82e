import { purgeSome } from "../resources/trash/purge.ts";
import { deleteExpiredTrash } from "../resources/trash/queries.ts";
import type { Services } from "../services.ts";
import { inSteps } from "./in-steps.ts";

/** Documents per transaction: small, so that others can write in between. */
const BATCH = 20;

/** Removes the stored parts of deleted documents and what the trash no longer keeps, a little at a time. */
export function startPurge({ database, log }: Services): () => Promise<void> {
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
  return inSteps(step, (error) => log.warn({ err: error }, "purge failed"));
}
