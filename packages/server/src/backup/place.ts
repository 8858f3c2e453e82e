import { createReadStream, createWriteStream, existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Config } from "../config.ts";
import { BackupError } from "../db/backup/backup-error.ts";
import { makePrivateDirectory } from "../db/private-files.ts";
import { readS3Url, type S3Environment } from "../ports/blobs/s3-settings.ts";
import { s3Store } from "../ports/blobs/s3-store.ts";
import { InvalidSetting } from "../ports/invalid-setting.ts";
import { timeOf } from "./keep.ts";
import { removeOldDrafts } from "./work-folder.ts";

const END = ".svc";

interface StoredBackup {
  readonly name: string;
  readonly bytes: number;
}

/** The place of the scheduled backups, of which each has a name without an ending. */
export interface BackupPlace {
  /** For people; contains no keys. */
  readonly shown: string;
  /** The file into which a new backup is to be written, in `work` or at its place. */
  draft(name: string, work: string): string;
  /** Makes sure that the complete draft is at its place. */
  put(name: string, draft: string): Promise<void>;
  list(): Promise<StoredBackup[]>;
  remove(name: string): Promise<void>;
  /** A file with the backup's content, in `work` or at its place. */
  fetch(name: string, work: string): Promise<string>;
}

/** Throws InvalidSetting; opens no connection and makes no folder. */
export function openBackupPlace(
  { backupDir, blobUrl }: Pick<Config, "backupDir" | "blobUrl">,
  env: S3Environment,
): BackupPlace | undefined {
  if (backupDir === undefined) return undefined;
  if (!/^[a-z0-9]+:\/\//i.test(backupDir)) return folderPlace(resolve(backupDir));
  const settings = readS3Url(backupDir, env, "SVC_BACKUP_DIR");
  const blobs = blobUrl === undefined ? undefined : readS3Url(blobUrl, env);
  // The backups would be taken for attachment files, and be part of the next backup.
  if (blobs?.bucketUrl === settings.bucketUrl && settings.prefix.startsWith(blobs.prefix))
    throw new InvalidSetting("SVC_BACKUP_DIR", "the value lies inside of SVC_BLOB_URL; name another bucket or prefix");
  return bucketPlace(settings);
}

const byName = (a: StoredBackup, b: StoredBackup): number => (a.name < b.name ? -1 : 1);

function folderPlace(folder: string): BackupPlace {
  const fileOf = (name: string) => join(folder, name + END);
  return {
    shown: folder,
    draft(name) {
      makePrivateDirectory(folder);
      removeOldDrafts(folder, "svc-");
      return fileOf(name);
    },
    put: async () => undefined,
    list: async () =>
      (existsSync(folder) ? readdirSync(folder) : [])
        .filter((file) => file.endsWith(END) && timeOf(file.slice(0, -END.length)) !== undefined)
        .map((file) => ({ name: file.slice(0, -END.length), bytes: statSync(join(folder, file)).size }))
        .sort(byName),
    remove: async (name) => rmSync(fileOf(name), { force: true }),
    fetch: async (name) => fileOf(name),
  };
}

function bucketPlace(settings: ReturnType<typeof readS3Url>): BackupPlace {
  const store = s3Store(settings);
  return {
    shown: `s3://${settings.bucket}/${settings.prefix}`,
    draft: (name, work) => join(work, name + END),
    put: async (name, draft) =>
      void (await store.put(name, createReadStream(draft), { maxBytes: statSync(draft).size })),
    async list() {
      const found: StoredBackup[] = [];
      for await (const { key, size } of store.list(""))
        if (timeOf(key) !== undefined) found.push({ name: key, bytes: size });
      return found.sort(byName);
    },
    remove: (name) => store.delete(name),
    async fetch(name, work) {
      const file = join(work, name + END);
      await pipeline((await store.get(name)).stream, createWriteStream(file, { mode: 0o600 }));
      return file;
    },
  };
}

/** A backup that the operator named: a file, or the name or `latest` of a scheduled one. */
export async function findBackup(place: BackupPlace | undefined, named: string, work: string): Promise<string> {
  if (existsSync(named) || !place) return named;
  const name = named.replace(/\.svc$/, "");
  if (name !== "latest" && timeOf(name) === undefined) return named;
  const stored = await place.list();
  const found = name === "latest" ? stored.at(-1) : stored.find((one) => one.name === name);
  if (!found) throw new BackupError(`There is no backup ${named} in ${place.shown}.`);
  return place.fetch(found.name, work);
}
