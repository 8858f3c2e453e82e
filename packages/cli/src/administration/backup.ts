import { resolve } from "node:path";
import { Leases } from "@svc/server/background/lease";
import { Presence } from "@svc/server/background/presence";
import { makeBackup } from "@svc/server/backup/make-backup";
import { findBackup, openBackupPlace } from "@svc/server/backup/place";
import { restoreBackup, verifyBackup } from "@svc/server/backup/restore-backup";
import { BACKUP_LEASE, removeExpired, type SavedBackup, saveInPlace } from "@svc/server/backup/save";
import { recordBackup } from "@svc/server/backup/state";
import { withWorkFolder } from "@svc/server/backup/work-folder";
import { type Config, readConfig } from "@svc/server/config";
import { type Database, DatabaseUnavailable } from "@svc/server/db/database";
import type { Command } from "commander";
import { CommandError } from "../command-error.ts";
import { EXIT } from "../exit-codes.ts";
import { JSON_FLAG, note, type OutputOptions, print } from "../output.ts";
import { withStore } from "./store.ts";

const NO_FILES = "It does not contain the attachment files.";
const NOT_RECORDED = "The store takes no writes, so metrics and the Usage page do not know of this backup.";
const HELP = `
Without a file, the backup goes to SVC_BACKUP_DIR, and those that SVC_BACKUP_KEEP does not name are removed.
A backup can be restored on either database.`;
const RESTORE_HELP = `
<file> is also the name of a scheduled backup in SVC_BACKUP_DIR, or latest for the last one.
--verify needs as much free space in SVC_DATA_DIR as the store takes, and changes nothing.`;

const place = (config: Config) => openBackupPlace(config, process.env);

interface BackupOptions extends OutputOptions {
  readonly files: boolean;
  readonly list?: boolean;
}

async function backup(file: string | undefined, options: BackupOptions): Promise<void> {
  if (options.list) return list(options);
  await withStore(async (database, config) => {
    const saved = await underLease(database, () =>
      withWorkFolder(config.dataDir, "backup", (work) =>
        file === undefined ? saveScheduled(config, work, options.files) : saveFile(config, file, work, options.files),
      ),
    );
    await recordBackup(database, saved.good, file === undefined).catch(() => note(NOT_RECORDED));
    const { good, attachments } = saved;
    const shown = file ?? `${good.place}, as ${good.name}`;
    print(options, { file: file ?? good.name, bytes: good.bytes, attachments }, [
      `The store is in ${shown}, with ${attachments} attachment files.`,
      ...(options.files ? [] : [NO_FILES]),
    ]);
  });
}

/** Another process must not remove attachment files meanwhile. A store on a full disk can be backed up without it. */
async function underLease<T>(database: Database, work: () => Promise<T>): Promise<T> {
  const presence = new Presence(database, { warn: () => undefined });
  let result: Promise<T> | undefined;
  try {
    const isFree = await new Leases(database, presence)
      .during(BACKUP_LEASE, async () => {
        result = work();
        await result.catch(() => undefined);
      })
      .catch((error) => {
        if (result || !(error instanceof DatabaseUnavailable)) throw error;
        return true;
      });
    if (!isFree)
      throw new CommandError(EXIT.failure, "Another backup of this store is being made. Try again when it is done.");
    return await (result ?? work());
  } finally {
    await presence.close();
  }
}

async function saveFile(config: Config, file: string, work: string, hasFiles: boolean): Promise<SavedBackup> {
  const started = Date.now();
  const { bytes, attachments } = await makeBackup(config, file, { work, hasFiles });
  const good = { started_at: started, finished_at: Date.now(), place: "file", name: resolve(file), bytes };
  return { good, attachments };
}

async function saveScheduled(config: Config, work: string, hasFiles: boolean): Promise<SavedBackup> {
  const folder = needPlace(config);
  const saved = await saveInPlace({ ...config, ...(!hasFiles && { backupFiles: "off" }) }, folder, work);
  await removeExpired(folder, config.backupKeep);
  return saved;
}

function needPlace(config: Config) {
  const folder = place(config);
  if (!folder) throw new CommandError(EXIT.failure, "Name a file, or set SVC_BACKUP_DIR.");
  return folder;
}

async function list(options: OutputOptions): Promise<void> {
  const folder = needPlace(readConfig(process.env));
  const backups = await folder.list();
  print(options, { place: folder.shown, backups }, [
    ...backups.map(({ name, bytes }) => `${name}  ${bytes} bytes`),
    ...(backups.length === 0 ? [`There is no backup in ${folder.shown}.`] : []),
  ]);
}

interface RestoreOptions extends OutputOptions {
  readonly replace?: boolean;
  readonly verify?: boolean;
}

async function restore(named: string, options: RestoreOptions): Promise<void> {
  const config = readConfig(process.env);
  await withWorkFolder(config.dataDir, "restore", async (work) => {
    const file = await findBackup(place(config), named, work);
    if (options.verify) return verify(config, file, options);
    const report = await restoreBackup(config, file, { replace: options.replace ?? false });
    print(options, { file: named, attachments: report.attachments, has_files: report.has_files }, [
      `The store is as it was in ${named}, with ${report.attachments} attachment files.`,
      ...(report.has_files ? [] : [NO_FILES]),
    ]);
  });
}

async function verify(config: Config, file: string, options: OutputOptions): Promise<void> {
  const report = await verifyBackup(config, file);
  const { created_at, tables, rows, documents, attachments, has_files } = report;
  print(options, report, [
    `The backup of ${created_at} is complete: ${documents} documents, ${attachments} attachment files, ${rows} rows in ${tables} tables, all as they were.`,
    ...(has_files ? [] : [NO_FILES]),
  ]);
}

export function defineBackup(command: Command): void {
  command
    .argument("[file]", "to write; an older one is replaced when the new one is complete")
    .option("--no-files", "leave out the attachment files")
    .option("--list", "list the backups in SVC_BACKUP_DIR")
    .option(...JSON_FLAG)
    .addHelpText("after", HELP)
    .action(backup);
}

export function defineRestore(command: Command): void {
  command
    .argument("<file>", "made by svc backup")
    .option("--replace", "put the backup in the place of a store that has accounts")
    .option("--verify", "restore into a temporary place, compare, and change nothing")
    .option(...JSON_FLAG)
    .addHelpText("after", RESTORE_HELP)
    .action(restore);
}
