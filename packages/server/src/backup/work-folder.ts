import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { makePrivateDirectory } from "../db/private-files.ts";
import { DAY_MS } from "../time.ts";

const WORK = /^\.(backup|restore)-/;
/** A backup that is being written, and the files that the database keeps beside it. */
const PART = /\.\d+\.part(-journal|-wal|-shm)?$/;

/** Removes leftovers of killed commands: links to files that were deleted since still take space on the disk. */
function removeLeftovers(directory: string, isLeftover: (name: string) => boolean): void {
  if (!existsSync(directory)) return;
  for (const path of readdirSync(directory).flatMap((name) => (isLeftover(name) ? join(directory, name) : [])))
    if (Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > DAY_MS)
      rmSync(path, { recursive: true, force: true });
}

/** Runs `work` with an empty folder in the data directory, which is removed afterwards. */
export async function withWorkFolder<T>(
  dataDir: string,
  kind: "backup" | "restore",
  work: (folder: string) => Promise<T>,
): Promise<T> {
  makePrivateDirectory(dataDir);
  removeLeftovers(dataDir, (name) => WORK.test(name));
  const folder = mkdtempSync(join(dataDir, `.${kind}-`));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The name of an unfinished backup. It is in the same folder as the backup, so that renaming it is one step. */
export const draftOf = (file: string): string => `${file}.${process.pid}.part`;

export const removeDraft = (draft: string): void => {
  for (const end of ["", "-journal", "-wal", "-shm"]) rmSync(draft + end, { force: true });
};

export const removeOldDrafts = (directory: string, base: string): void =>
  removeLeftovers(directory, (name) => name.startsWith(base) && PART.test(name));
