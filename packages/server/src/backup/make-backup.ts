import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, renameSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { codeOf, messageOf } from "@svc/document/thrown";
import type { Config } from "../config.ts";
import { BackupError } from "../db/backup/backup-error.ts";
import { seal } from "../db/backup/seal.ts";
import { sqliteFile } from "../db/connect.ts";
import { makePrivateFile } from "../db/private-files.ts";
import { BackupFile } from "../db/sqlite/backup/backup-file.ts";
import { storeCopy } from "../db/store-copy.ts";
import { BlobNotFound, type BlobStore } from "../ports/blobs/blob-store.ts";
import { fileStore } from "../ports/blobs/file-store.ts";
import { metered } from "../ports/blobs/metered.ts";
import { openBlobStore } from "../ports/blobs/open-blob-store.ts";
import { draftOf, removeDraft, removeOldDrafts } from "./work-folder.ts";

export type BackupSettings = Pick<Config, "dataDir" | "databaseUrl" | "databaseWaitMs" | "blobUrl">;

interface BackupReport {
  readonly file: string;
  readonly bytes: number;
  readonly attachments: number;
}

interface BackupOptions {
  /** An empty folder on the disk of the data directory. */
  readonly work: string;
  readonly hasFiles: boolean;
}

/** Copies the store into one file, as of one instant, while servers continue to write. */
export async function makeBackup(
  config: BackupSettings,
  file: string,
  { work, hasFiles }: BackupOptions,
): Promise<BackupReport> {
  if (resolve(file) === resolve(sqliteFile(config))) throw new BackupError("The backup must not be the store itself.");
  removeOldDrafts(dirname(file), `${basename(file)}.`);
  const draft = draftOf(file);
  try {
    const links = join(work, "links");
    // Attachment files never change. Links hold those from before the snapshot in case they are deleted meanwhile; a
    // second pass adds those that were added until the snapshot.
    const link = () => linkAll(join(config.dataDir, "attachments"), links);
    const isLinked = hasFiles && !config.blobUrl;
    if (isLinked) link();
    makePrivateFile(draft);
    const tables = await storeCopy(config).write(draft);
    if (isLinked) link();
    using backup = new BackupFile(draft);
    const files = isLinked ? fileStore(links) : openBlobStore({ ...config, env: process.env });
    const attachments = await addFiles(backup, hasFiles ? files : undefined);
    backup.finish(tables, hasFiles);
    backup[Symbol.dispose]();
    await seal(draft);
    renameSync(draft, file);
    await flush(dirname(file));
    return { file, bytes: statSync(file).size, attachments };
  } catch (error) {
    if (error instanceof BackupError) throw error;
    throw new BackupError(`The backup cannot be written to ${file}: ${messageOf(error)}.`, { cause: error });
  } finally {
    removeDraft(draft);
  }
}

async function addFiles(backup: BackupFile, files: BlobStore | undefined): Promise<number> {
  const add = backup.addFiles();
  let count = 0;
  for await (const { key, size } of files?.list("") ?? []) {
    const found = await files?.get(key).catch(orGone);
    if (!found) continue;
    const { chunks, result } = metered(found.stream, { maxBytes: size });
    await add(key, chunks, result);
    count++;
  }
  return count;
}

/** The archive of an import that has ended meanwhile. Files of attachments stay while a backup is made. */
function orGone(error: unknown): undefined {
  if (!(error instanceof BlobNotFound)) throw error;
}

async function flush(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
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
