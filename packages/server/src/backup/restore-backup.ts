import { existsSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "@svc/document/thrown";
import { BackupError } from "../db/backup/backup-error.ts";
import { unseal } from "../db/backup/seal.ts";
import { BackupFile } from "../db/sqlite/backup/backup-file.ts";
import { storeCopy } from "../db/store-copy.ts";
import type { BlobStore } from "../ports/blobs/blob-store.ts";
import { fileStore } from "../ports/blobs/file-store.ts";
import { metered } from "../ports/blobs/metered.ts";
import { openBlobStore } from "../ports/blobs/open-blob-store.ts";
import type { BackupSettings } from "./make-backup.ts";
import { withWorkFolder } from "./work-folder.ts";

interface RestoreReport {
  readonly file: string;
  readonly attachments: number;
  /** False for a backup that was made without attachment files. */
  readonly has_files: boolean;
}

function mustExist(file: string): void {
  if (!existsSync(file)) throw new BackupError(`There is no file ${file}.`);
}

/** Opens a copy of a backup in the folder; throws if it is damaged or from a newer release. */
async function openBackup(file: string, folder: string): Promise<BackupFile> {
  const copy = join(folder, "svc.db");
  await unseal(file, copy);
  const backup = new BackupFile(copy);
  try {
    backup.check(file);
    return backup;
  } catch (error) {
    backup[Symbol.dispose]();
    throw error;
  }
}

async function putFiles(backup: BackupFile, target: BlobStore, name: string): Promise<number> {
  const { files } = backup;
  for (const { path, size, sha256 } of files) {
    const stored = await target.put(path, backup.read(path), { maxBytes: size });
    if (stored.sha256 !== sha256)
      throw new BackupError(`${name} is damaged: the attachment file ${path} is not as it was. Use another backup.`);
  }
  return files.length;
}

/** Replaces the store by a backup. Running servers see the old store or the restored one, nothing between. */
export async function restoreBackup(
  config: BackupSettings,
  file: string,
  { replace }: { readonly replace: boolean },
): Promise<RestoreReport> {
  mustExist(file);
  const store = storeCopy(config);
  if (!replace && !(await store.isEmpty()))
    throw new BackupError(
      "There is a store with accounts already: add --replace to put the backup in its place, or name an empty one.",
    );
  return withWorkFolder(config.dataDir, "restore", async (folder) => {
    try {
      using backup = await openBackup(file, folder);
      const { hasFiles } = backup.manifest;
      const attachments = await putFiles(backup, openBlobStore({ ...config, env: process.env }), file);
      await backup.becomeStore();
      await store.replaceBy(join(folder, "svc.db"));
      return { file, attachments, has_files: hasFiles };
    } catch (error) {
      if (error instanceof BackupError) throw error;
      throw new BackupError(`The store was not changed: ${messageOf(error)}.`, { cause: error });
    }
  });
}

interface VerifyReport {
  readonly file: string;
  readonly created_at: string;
  readonly schema: string;
  readonly tables: number;
  readonly rows: number;
  readonly documents: number;
  readonly attachments: number;
  readonly has_files: boolean;
}

/** Restores a backup into a temporary place, compares it with what the store was, and removes it again. */
export const verifyBackup = (config: BackupSettings, file: string): Promise<VerifyReport> =>
  withWorkFolder(config.dataDir, "restore", async (folder) => {
    mustExist(file);
    using backup = await openBackup(file, folder);
    const { tables, createdAt, schema, hasFiles } = backup.manifest;
    backup.compare(file);
    const attachments = await compareFiles(backup, fileStore(join(folder, "attachments")), file);
    const rows = [...tables.values()].reduce((sum, table) => sum + table.rows, 0);
    const documents = backup.count("documents");
    await backup.becomeStore();
    const facts = { created_at: createdAt, schema, tables: tables.size, rows, documents, attachments };
    return { file, ...facts, has_files: hasFiles };
  });

async function compareFiles(backup: BackupFile, restored: BlobStore, name: string): Promise<number> {
  const count = await putFiles(backup, restored, name);
  for (const { path, size, sha256 } of backup.files) {
    const { chunks, result } = metered((await restored.get(path)).stream, { maxBytes: size });
    for await (const _chunk of chunks);
    if (result().sha256 !== sha256) throw new BackupError(`The attachment file ${path} was not restored as it was.`);
  }
  return count;
}
