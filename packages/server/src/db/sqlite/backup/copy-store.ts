import { existsSync } from "node:fs";
import { backup, DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "@svc/document/thrown";
import { BackupError } from "../../backup/backup-error.ts";
import { makePrivateFile } from "../../private-files.ts";
import { migrateFile } from "../open.ts";

const BUSY_LIMIT_MS = 60_000;
const PAGES_PER_STEP = 4096;

/** Copies the store as of one instant, while servers continue to write. */
export async function copyFile(from: string, to: string): Promise<void> {
  if (!existsSync(from)) throw new BackupError(`There is no store at ${from}.`);
  makePrivateFile(to);
  const source = new DatabaseSync(from, { readOnly: true, timeout: 10_000 });
  try {
    // Within one transaction the copy does not begin again whenever somebody writes.
    source.exec("begin; select 1 from sqlite_master");
    await backup(source, to, { rate: PAGES_PER_STEP });
  } finally {
    source.close();
  }
  makeSelfContained(to);
}

/** A file that is not in WAL mode is complete: it has no companion files that could be forgotten. */
export function makeSelfContained(file: string): void {
  const database = new DatabaseSync(file);
  database.exec("pragma journal_mode = delete");
  database.close();
}

/** Whether nobody has an account in the store, or there is no store. */
export function isEmptyFile(file: string): boolean {
  if (!existsSync(file)) return true;
  const database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
  try {
    if (!database.prepare("select 1 from sqlite_master where name = 'users'").get()) return true;
    return !database.prepare("select 1 from users union all select 1 from workspaces limit 1").get();
  } finally {
    database.close();
  }
}

/** SQLite's SQLITE_FULL. */
const isFull = (error: unknown): boolean => error instanceof Error && "errcode" in error && error.errcode === 13;

/** One write transaction on the live file; it waits for a running writer. */
export async function replaceFile(from: string, live: string): Promise<void> {
  await migrateFile(live);
  const source = new DatabaseSync(from, { readOnly: true });
  const deadline = Date.now() + BUSY_LIMIT_MS;
  try {
    for (;;) {
      const failure = await backup(source, live, { rate: PAGES_PER_STEP }).then(
        () => undefined,
        (error) => error,
      );
      if (!failure) return;
      if (isFull(failure))
        throw new BackupError(`There is not enough space for the store in the backup: ${messageOf(failure)}.`);
      if (Date.now() > deadline) throw new BackupError(`The store is still busy: ${failure.message}.`);
      await sleep(5 + Math.random() * 20);
    }
  } finally {
    source.close();
  }
}
