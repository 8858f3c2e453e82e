import type { BlobStore } from "../../../ports/blobs/blob-store.ts";
import type { Services } from "../../../services.ts";
import { deleteAttachmentRow, findUsedKeys, isShared, listExpired } from "./queries.ts";

/** A restore can last this much longer than its trash entry. */
const GRACE_MS = 60_000;

/**
 * Removes some expired files, each before its row, so that a crash in between only repeats the removal. True if there
 * may be more.
 */
export async function removeExpiredFiles(app: Services, now: number, limit: number): Promise<boolean> {
  const { database, blobs } = app;
  const expired = await listExpired(database.read, now - GRACE_MS, limit);
  for (const row of expired) {
    if (!(await isShared(database.read, row))) await blobs.delete(row.blob_key);
    await database.transaction(async (tx) => {
      await deleteAttachmentRow(tx, row);
      for (const view of app.views) await view.attachmentRemoved?.(tx, row, app);
    });
  }
  return expired.length === limit;
}

const BATCH = 200;

/**
 * Removes files without a row, left behind by a crash. `olderThan` must lie further back than any upload still in
 * progress. Returns the number of files.
 */
export async function removeStrayFiles(
  { database, blobs }: Pick<Services, "database" | "blobs">,
  olderThan: Date,
): Promise<number> {
  const findUsed = (keys: readonly string[]) => findUsedKeys(database.read, keys);
  return (await blobs.removeAbandoned(olderThan)) + (await removeUnused(blobs, "files/", olderThan, findUsed));
}

/** Removes old unused files under a prefix. Returns their number. */
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
