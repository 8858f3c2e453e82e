import { removeExpiredFiles, removeStrayFiles, removeUnused } from "../resources/attachments/remove-files.ts";
import { ARCHIVES } from "../resources/import/archive-key.ts";
import { findWaitingArchives } from "../resources/import/queries.ts";
import type { Services } from "../services.ts";
import { inSteps } from "./in-steps.ts";

const BATCH = 50;
const STRAY_PAUSE_MS = 60 * 60 * 1000;
/** No upload takes this long from its first byte to its row. */
const STRAY_AGE_MS = 24 * 60 * 60 * 1000;

/** Removes files of deleted attachments, and now and then what crashes left. */
export function startFileRemoval(services: Services): () => Promise<void> {
  let nextLook = Date.now() + STRAY_PAUSE_MS * Math.random();
  const step = async (): Promise<boolean> => {
    const now = Date.now();
    if (now >= nextLook) {
      nextLook = now + STRAY_PAUSE_MS * (0.5 + Math.random());
      const olderThan = new Date(now - STRAY_AGE_MS);
      const findUsed = (keys: readonly string[]) => findWaitingArchives(services.database.read, keys);
      const removed =
        (await removeStrayFiles(services, olderThan)) +
        (await removeUnused(services.blobs, ARCHIVES, olderThan, findUsed));
      if (removed > 0) services.log.info({ removed }, "stray files removed");
    }
    return removeExpiredFiles(services, now, BATCH);
  };
  return inSteps(step, (error) => services.log.warn({ err: error }, "removing files failed"));
}
