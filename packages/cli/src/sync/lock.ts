import { mkdir, open, readFile, rename, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "@svc/document/thrown";
import { PRIVATE } from "./disk.ts";

/** Another run is at work in this folder. */
export class FolderInUse extends Error {
  override readonly name = "FolderInUse";
}

/** Runs work while no other process synchronises the folder. What a killed process left behind is taken over. */
export async function withLock<T>(root: string, work: () => Promise<T>): Promise<T> {
  const file = join(root, PRIVATE, "lock");
  await mkdir(join(root, PRIVATE), { recursive: true });
  await hideFromGit(join(root, PRIVATE));
  await acquire(root, file);
  try {
    return await work();
  } finally {
    await unlink(file).catch(() => {});
  }
}

/** Nothing of ours is the folder's own: a repository does not see it. */
const hideFromGit = (folder: string): Promise<void> =>
  writeFile(join(folder, ".gitignore"), "*\n", { flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });

async function acquire(root: string, file: string): Promise<void> {
  for (let attempt = 1; attempt <= 2; attempt++) {
    try {
      const handle = await open(file, "wx");
      await handle.writeFile(String(process.pid));
      return await handle.close();
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
      const owner = Number(await readFile(file, "utf8").catch(() => ""));
      if (isAlive(owner)) throw new FolderInUse(`Another svc sync (process ${owner}) is at work in ${root}.`);
      // Moved away, not removed: of two that find it left behind, one wins.
      const aside = `${file}.${process.pid}`;
      await rename(file, aside).catch(() => {});
      await unlink(aside).catch(() => {});
    }
  }
  throw new FolderInUse(`Another svc sync is at work in ${root}.`);
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}
