import { Worker } from "node:worker_threads";
import type { Config } from "../config.ts";
import { BackupError } from "../db/backup/backup-error.ts";
import type { SavedBackup } from "./save.ts";

export interface ToThread {
  readonly config: Config;
  readonly work: string;
}

export type FromThread =
  | { readonly kind: "saved"; readonly saved: SavedBackup }
  | { readonly kind: "failed"; readonly message: string };

const MAX_HEAP_MB = 512;

/** Makes a scheduled backup in a thread. An abort ends the thread; then the caller removes the work folder. */
export async function runBackup(task: ToThread, signal: AbortSignal): Promise<SavedBackup> {
  signal.throwIfAborted();
  const thread = new Worker(new URL("./backup-thread.ts", import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  const { promise, resolve, reject } = Promise.withResolvers<FromThread>();
  thread.on("message", resolve).on("error", reject);
  thread.on("exit", () => reject(new Error("The thread of the backup has ended.")));
  const stop = () => reject(signal.reason);
  signal.addEventListener("abort", stop);
  try {
    const outcome = await promise;
    if (outcome.kind === "failed") throw new BackupError(outcome.message);
    return outcome.saved;
  } finally {
    signal.removeEventListener("abort", stop);
    await thread.terminate();
  }
}
