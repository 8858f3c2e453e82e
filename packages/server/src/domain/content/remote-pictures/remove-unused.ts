import type { Services } from "../../../services.ts";
import { DAY_MS } from "../../../time.ts";
import { countRemotePictures, deleteUnused, listLeastUsed } from "./queries.ts";

const UNUSED_MS = 30 * DAY_MS;
const MAX_BYTES = 1024 * 1024 * 1024;
const MAX_COUNT = 100_000;
const BATCH = 200;

/**
 * Removes remote pictures that nobody has looked at for a month, and beyond the limits those that were not looked at for
 * the longest time. True when there may be more.
 */
export async function removeUnusedPictures(
  { database, blobs }: Pick<Services, "database" | "blobs">,
  now: number,
  maxBytes = MAX_BYTES,
): Promise<boolean> {
  const { count, bytes } = await countRemotePictures(database.read);
  let [tooMany, tooLarge] = [count - MAX_COUNT, bytes - maxBytes];
  const rows = (await listLeastUsed(database.read, BATCH)).filter(({ used_at, size }) => {
    const goes = used_at < now - UNUSED_MS || tooMany > 0 || tooLarge > 0;
    tooMany -= 1;
    tooLarge -= size;
    return goes;
  });
  const deleted = rows.length === 0 ? [] : await database.transaction((tx) => deleteUnused(tx, rows));
  for (const { blob_key } of deleted) if (blob_key !== null) await blobs.delete(blob_key);
  return deleted.length === BATCH;
}
