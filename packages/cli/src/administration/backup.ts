import { readConfig } from "@svc/server/config";
import { backupStore, restoreStore } from "@svc/server/db/sqlite/backup";
import type { Command } from "commander";
import { JSON_FLAG, type OutputOptions, print } from "../output.ts";

const ONLY_SQLITE = "\nFor a store on SQLite; PostgreSQL has tools of its own for it.";
const S3_NOTE = "The attachments are on the S3 store and are not part of this file.";

async function backup(file: string, options: OutputOptions): Promise<void> {
  const config = readConfig(process.env);
  const report = await backupStore(config, file);
  print(options, report, [
    `The store is in ${report.file}, with ${report.attachments} attachment files.`,
    ...(config.blobUrl ? [S3_NOTE] : []),
  ]);
}

async function restore(file: string, options: OutputOptions): Promise<void> {
  const report = await restoreStore(readConfig(process.env), file);
  print(options, report, [`The store is as it was in ${report.file}, with ${report.attachments} attachment files.`]);
}

export function defineBackup(command: Command): void {
  command
    .argument("<file>", "to write; an older one is replaced when the new one is complete")
    .option(...JSON_FLAG)
    .addHelpText("after", ONLY_SQLITE)
    .action(backup);
}

export function defineRestore(command: Command): void {
  command
    .argument("<file>", "made by svc backup")
    .option(...JSON_FLAG)
    .addHelpText("after", ONLY_SQLITE)
    .action(restore);
}
