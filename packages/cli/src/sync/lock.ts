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
      await handle.writeFile(`${process.pid} ${await startOf(process.pid)}`.trimEnd());
      return await handle.close();
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
      const [owner, start] = (await readFile(file, "utf8").catch(() => "")).split(" ");
      if (await isAlive(Number(owner), start))
        throw new FolderInUse(`Another svc sync (process ${owner}) is at work in ${root}.`);
      // Moved away, not removed: of two that find it left behind, one wins.
      const aside = `${file}.${process.pid}`;
      await rename(file, aside).catch(() => {});
      await unlink(aside).catch(() => {});
    }
  }
  throw new FolderInUse(`Another svc sync is at work in ${root}.`);
}

/** Whether a process still runs. In a container that is started again another one has its number, often our own. */
async function isAlive(pid: number, start: string | undefined): Promise<boolean> {
  if (!Number.isInteger(pid) || pid <= 0 || !isRunning(pid)) return false;
  return start === undefined ? pid !== process.pid : start === (await startOf(pid));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

/** When a process began, counted by the kernel, which tells it from later ones of its number; empty where nobody says. */
async function startOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // The name in brackets may have spaces in it; the field is the twentieth behind it.
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}
