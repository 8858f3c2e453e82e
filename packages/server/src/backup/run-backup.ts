import { BackupError } from "../db/backup/backup-error.ts";
import { OwnThread } from "../threads/own-thread.ts";
import type * as tasks from "./backup-thread.ts";
import type { SavedBackup } from "./save.ts";

const MAX_HEAP_MB = 512;

/** Makes a scheduled backup in a thread. An abort ends the thread; then the caller removes the work folder. */
export async function runBackup(task: tasks.BackupTask, signal: AbortSignal): Promise<SavedBackup> {
  const thread = new OwnThread<typeof tasks>(new URL("./backup-thread.ts", import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  try {
    const outcome = await thread.run("save", task, signal);
    if ("failure" in outcome) throw new BackupError(outcome.failure);
    return outcome.saved;
  } finally {
    await thread.close();
  }
}
