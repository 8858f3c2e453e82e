import { Loop } from "../background/loop.ts";
import { isBackingUp } from "../backup/save.ts";
import { removeExpiredFiles, removeStrayFiles, removeUnused } from "../domain/content/attachments/remove-files.ts";
import { findPictureKeys } from "../domain/content/remote-pictures/queries.ts";
import { REMOTE_PICTURES } from "../domain/content/remote-pictures/remote-pictures.ts";
import { ARCHIVES } from "../domain/exchange/import/archive-key.ts";
import { findWaitingArchives } from "../domain/exchange/import/queries.ts";
import type { Services } from "../services.ts";
import { DAY_MS } from "../time.ts";

const BATCH = 50;
const PAUSE_MS = 1000;
const STRAY_PAUSE_MS = 60 * 60 * 1000;
/** No upload takes this long from its first byte to its row. */
const STRAY_AGE_MS = DAY_MS;

/** Removes files of deleted attachments, and now and then leftovers of crashes. */
export function startFileRemoval(services: Services): () => Promise<void> {
  let nextLook = performance.now() + STRAY_PAUSE_MS * Math.random();
  const round = async (): Promise<boolean> => {
    // A backup reads the files whose rows it has seen.
    if (await isBackingUp(services.database)) return false;
    const now = Date.now();
    if (performance.now() >= nextLook) {
      nextLook = performance.now() + STRAY_PAUSE_MS * (0.5 + Math.random());
      const olderThan = new Date(now - STRAY_AGE_MS);
      const { blobs, database } = services;
      const removed =
        (await removeStrayFiles(services, olderThan)) +
        (await removeUnused(blobs, ARCHIVES, olderThan, (keys) => findWaitingArchives(database.read, keys))) +
        (await removeUnused(blobs, REMOTE_PICTURES, olderThan, (keys) => findPictureKeys(database.read, keys)));
      if (removed > 0) services.log.info({ removed }, "stray files removed");
    }
    return removeExpiredFiles(services, now, BATCH);
  };
  const failed = (error: unknown) => services.log.warn({ err: error }, "removing files failed");
  return new Loop({ round, pauseMs: PAUSE_MS, firstAfterMs: 0, failed }).stop;
}
