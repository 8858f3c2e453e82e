import { Loop } from "../background/loop.ts";
import { removeExpiredFiles, removeStrayFiles, removeUnused } from "../resources/attachments/remove-files.ts";
import { ARCHIVES } from "../resources/import/archive-key.ts";
import { findWaitingArchives } from "../resources/import/queries.ts";
import type { Services } from "../services.ts";
import { DAY_MS } from "../time.ts";

const BATCH = 50;
const PAUSE_MS = 1000;
const STRAY_PAUSE_MS = 60 * 60 * 1000;
/** No upload takes this long from its first byte to its row. */
const STRAY_AGE_MS = DAY_MS;

/** Removes files of deleted attachments, and now and then what crashes left. */
export function startFileRemoval(services: Services): () => Promise<void> {
  let nextLook = performance.now() + STRAY_PAUSE_MS * Math.random();
  const round = async (): Promise<boolean> => {
    const now = Date.now();
    if (performance.now() >= nextLook) {
      nextLook = performance.now() + STRAY_PAUSE_MS * (0.5 + Math.random());
      const olderThan = new Date(now - STRAY_AGE_MS);
      const findUsed = (keys: readonly string[]) => findWaitingArchives(services.database.read, keys);
      const removed =
        (await removeStrayFiles(services, olderThan)) +
        (await removeUnused(services.blobs, ARCHIVES, olderThan, findUsed));
      if (removed > 0) services.log.info({ removed }, "stray files removed");
    }
    return removeExpiredFiles(services, now, BATCH);
  };
  const failed = (error: unknown) => services.log.warn({ err: error }, "removing files failed");
  return new Loop({ round, pauseMs: PAUSE_MS, firstAfterMs: 0, failed }).stop;
}
