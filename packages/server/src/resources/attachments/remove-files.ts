import type { BlobStore } from "../../ports/blobs/blob-store.ts";
import type { Services } from "../../services.ts";
import { deleteAttachmentRow, findUsedKeys, isShared, listExpired } from "./queries.ts";

/** Restoring ends when the trash entry does; this much later no restore can still be under way. */
const GRACE_MS = 60_000;

/**
 * Removes a few files that nothing can bring back, each before its row: after a crash in between, the row has it done
 * again. True when there may be more.
 */
export async function removeExpiredFiles({ database, blobs }: Services, now: number, limit: number): Promise<boolean> {
  const expired = await listExpired(database.read, now - GRACE_MS, limit);
  for (const row of expired) {
    if (!(await isShared(database.read, row))) await blobs.delete(row.blob_key);
    await database.transaction((tx) => deleteAttachmentRow(tx, row));
  }
  return expired.length === limit;
}

const BATCH = 200;

/**
 * Removes what a crash between file and row left behind: files that no row names. `olderThan` must lie further back
 * than any upload that could still be on its way to its row. Answers how many.
 */
export async function removeStrayFiles({ database, blobs }: Services, olderThan: Date): Promise<number> {
  const findUsed = (keys: readonly string[]) => findUsedKeys(database.read, keys);
  return (await blobs.removeAbandoned(olderThan)) + (await removeUnused(blobs, "files/", olderThan, findUsed));
}

/** Removes old files under a prefix that nothing uses. Answers how many. */
export async function removeUnused(
  blobs: BlobStore,
  prefix: string,
  olderThan: Date,
  findUsed: (keys: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<number> {
  let removed = 0;
  let batch: string[] = [];
  const flush = async () => {
    if (batch.length === 0) return;
    const used = await findUsed(batch);
    for (const key of batch.filter((key) => !used.has(key))) {
      await blobs.delete(key);
      removed++;
    }
    batch = [];
  };
  for await (const { key, modified } of blobs.list(prefix)) {
    if (modified >= olderThan) continue;
    batch.push(key);
    if (batch.length === BATCH) await flush();
  }
  await flush();
  return removed;
}
