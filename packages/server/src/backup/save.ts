import { messageOf } from "@svc/document/thrown";
import type { Config } from "../config.ts";
import { BackupError } from "../db/backup/backup-error.ts";
import type { Database } from "../db/database.ts";
import { expired, nameOf } from "./keep.ts";
import { type BackupSettings, makeBackup } from "./make-backup.ts";
import type { BackupPlace } from "./place.ts";
import type { GoodBackup } from "./state.ts";

/** The lease under which one process at a time makes a backup. While it is held, no attachment file is removed. */
export const BACKUP_LEASE = "backup";

export const isBackingUp = async ({ read }: Pick<Database, "read">): Promise<boolean> =>
  (await read.selectFrom("leases").select("name").where("name", "=", BACKUP_LEASE).executeTakeFirst()) !== undefined;

export interface SavedBackup {
  readonly good: GoodBackup;
  readonly attachments: number;
}

/** Puts a backup into the place of the scheduled ones. */
export async function saveInPlace(
  config: BackupSettings & Pick<Config, "backupFiles">,
  place: BackupPlace,
  work: string,
): Promise<SavedBackup> {
  const started = Date.now();
  const name = nameOf(started);
  const file = place.draft(name, work);
  const { bytes, attachments } = await makeBackup(config, file, { work, hasFiles: config.backupFiles === "on" });
  await place.put(name, file).catch((error) => {
    throw new BackupError(`The backup cannot be stored in ${place.shown}: ${messageOf(error)}.`, { cause: error });
  });
  return { good: { started_at: started, finished_at: Date.now(), place: place.shown, name, bytes }, attachments };
}

/** Removes the scheduled backups that need not stay, and returns their names. */
export async function removeExpired(place: BackupPlace, keep: Config["backupKeep"]): Promise<string[]> {
  const names = expired(
    (await place.list()).map(({ name }) => name),
    keep,
  );
  for (const name of names) await place.remove(name);
  return names;
}
