/** The thread that makes one scheduled backup: reading a whole store would delay requests. */
import { messageOf } from "@svc/document/thrown";
import type { Config } from "../config.ts";
import { openBackupPlace } from "./place.ts";
import { type SavedBackup, saveInPlace } from "./save.ts";

export interface BackupTask {
  readonly config: Config;
  /** The folder for files that are not complete yet. */
  readonly work: string;
}

/** Only the message of a failure is sent to the other thread. */
export type BackupOutcome = { readonly saved: SavedBackup } | { readonly failure: string };

export async function save({ config, work }: BackupTask): Promise<BackupOutcome> {
  try {
    const place = openBackupPlace(config, process.env);
    if (!place) throw new Error("SVC_BACKUP_DIR is not set.");
    return { saved: await saveInPlace(config, place, work) };
  } catch (error) {
    return { failure: messageOf(error) };
  }
}
