import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { codeOf, messageOf } from "@svc/document/thrown";
import type { Config } from "../../config.ts";
import { DAY_MS } from "../../time.ts";
import { ulid } from "../../ulid.ts";
import { sqliteFile } from "../connect.ts";
import { makePrivateDirectory, makePrivateFile } from "../private-files.ts";
import { dropFiles, FILE_TABLE, readFiles, storeFiles } from "./backup-files.ts";
import { migrateFile } from "./open.ts";

/** A reason why there is no backup, said to the operator as it is. */
class BackupError extends Error {}

type Place = Pick<Config, "dataDir" | "databaseUrl">;

const BUSY_LIMIT_MS = 60_000;
const PAGES_PER_STEP = 4096;

const attachmentDirectory = (config: Pick<Config, "dataDir">): string => join(config.dataDir, "attachments");

interface BackupReport {
  readonly file: string;
  readonly attachments: number;
}

function refusePostgres(config: Place, instead: string): void {
  if (config.databaseUrl) throw new BackupError(`This store is on PostgreSQL: use ${instead} (see the README).`);
}

/** What commands that work at this moment have made, or killed ones left. */
const WORK = (name: string): boolean => /^\.(backup|restore)-/.test(name);

/** A backup that is being written, and what the database keeps beside it. */
const PART = /\.\d+\.part(-journal|-wal|-shm)?$/;
const COMPANIONS = ["-journal", "-wal", "-shm"];

/** Removes what killed commands left: links to files that are deleted by now keep their room on the disk. */
function removeLeftovers(directory: string, isOurs: (name: string) => boolean): void {
  if (!existsSync(directory)) return;
  for (const path of readdirSync(directory).flatMap((name) => (isOurs(name) ? join(directory, name) : [])))
    if (Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > DAY_MS)
      rmSync(path, { recursive: true, force: true });
}

/** Copies the store into one file, as of one instant, while servers go on writing. The file is itself a SQLite store. */
export async function backupStore(config: Place, file: string): Promise<BackupReport> {
  refusePostgres(config, "pg_dump");
  const live = sqliteFile(config);
  if (!existsSync(live)) throw new BackupError(`There is no store in ${config.dataDir}.`);
  if (resolve(file) === resolve(live)) throw new BackupError("The backup must not be the store itself.");
  removeLeftovers(config.dataDir, WORK);
  removeLeftovers(dirname(file), (name) => name.startsWith(`${basename(file)}.`) && PART.test(name));
  const draft = `${file}.${process.pid}.part`;
  const links = mkdtempSync(join(config.dataDir, ".backup-"));
  try {
    // Attachment files never change. Those of before the snapshot are held by links in case they are deleted
    // meanwhile; a second pass adds those that came until the snapshot.
    linkAll(attachmentDirectory(config), links);
    await copyDatabase(live, draft);
    linkAll(attachmentDirectory(config), links);
    const attachments = storeFiles(draft, links);
    renameSync(draft, file);
    return { file, attachments };
  } catch (error) {
    throw new BackupError(`The backup cannot be written to ${file}: ${messageOf(error)}.`, { cause: error });
  } finally {
    for (const end of ["", ...COMPANIONS]) rmSync(draft + end, { force: true });
    rmSync(links, { recursive: true, force: true });
  }
}

/** Puts a backup back in place of the store. Running servers see the old store or the restored one, nothing between. */
export async function restoreStore(config: Place, file: string): Promise<BackupReport> {
  refusePostgres(config, "pg_restore");
  if (!existsSync(file)) throw new BackupError(`There is no file ${file}.`);
  makePrivateDirectory(config.dataDir);
  removeLeftovers(config.dataDir, WORK);
  const work = mkdtempSync(join(config.dataDir, ".restore-"));
  try {
    const copy = join(work, "svc.db");
    copyFileSync(file, copy);
    checkBackup(copy, file);
    const attachments = readFiles(copy, attachmentDirectory(config), work);
    dropFiles(copy);
    await migrateFile(copy);
    beginNewEpochs(copy);
    await migrateFile(sqliteFile(config));
    await replaceDatabase(copy, sqliteFile(config));
    return { file, attachments };
  } catch (error) {
    if (error instanceof BackupError) throw error;
    throw new BackupError(`The store stays as it was: ${messageOf(error)}.`, { cause: error });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * Live states go on under another name: open tabs must not send updates of the replaced store into the restored one, but
 * merge what they have. Updates that were not in their bodies yet stay.
 */
function beginNewEpochs(file: string): void {
  const database = new DatabaseSync(file);
  const epoch = ulid();
  database.exec("begin; delete from live_people");
  for (const table of ["live_documents", "live_updates"]) database.prepare(`update ${table} set epoch = ?`).run(epoch);
  // Ids of events are given out again: whoever followed the replaced store has to be able to tell.
  database.prepare("insert or replace into server_state (key, value) values ('history', ?)").run(epoch);
  database.exec("commit");
  database.close();
}

async function copyDatabase(from: string, to: string): Promise<void> {
  makePrivateFile(to);
  const source = new DatabaseSync(from, { readOnly: true, timeout: 10_000 });
  try {
    await backup(source, to, { rate: PAGES_PER_STEP });
  } finally {
    source.close();
  }
  // A file that is not in WAL mode stands alone: it has no companions that could be forgotten.
  const copy = new DatabaseSync(to);
  copy.exec("pragma journal_mode = delete");
  copy.close();
}

/** SQLite's SQLITE_FULL. */
const isFull = (error: unknown): boolean => error instanceof Error && "errcode" in error && error.errcode === 13;

/** One write transaction on the live file; it waits for a writer that is under way. */
async function replaceDatabase(from: string, live: string): Promise<void> {
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
        throw new BackupError(`There is no room for the store of the backup: ${messageOf(failure)}.`);
      if (Date.now() > deadline) throw new BackupError(`The store stays busy: ${failure.message}.`);
      await sleep(5 + Math.random() * 20);
    }
  } finally {
    source.close();
  }
}

function checkBackup(copy: string, file: string): void {
  let problem: string | undefined;
  try {
    const database = new DatabaseSync(copy);
    const has = database.prepare("select 1 from sqlite_master where name = ?").get(FILE_TABLE);
    const check = database.prepare("pragma quick_check(1)").get();
    database.close();
    if (!has) problem = "is not a backup made by svc";
    else if (check?.quick_check !== "ok") problem = `is damaged: ${check?.quick_check}`;
  } catch (error) {
    problem = `cannot be read: ${messageOf(error)}`;
  }
  if (problem) throw new BackupError(`${file} ${problem}.`);
}

function linkAll(from: string, to: string): void {
  if (!existsSync(from)) return;
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const source = join(entry.parentPath, entry.name);
    const target = join(to, source.slice(from.length));
    if (existsSync(target)) continue;
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    try {
      linkSync(source, target);
    } catch (error) {
      if (codeOf(error) === "ENOENT") continue;
      copyFileSync(source, target);
    }
  }
}
