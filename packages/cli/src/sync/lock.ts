import { mkdir, open, readFile, rename, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "@svc/document/thrown";
import { PRIVATE } from "./disk.ts";

/** Another process is synchronising this folder. */
export class FolderInUse extends Error {
  override readonly name = "FolderInUse";
}

/** Runs work while no other process synchronises the folder. Takes over the lock of a killed process. */
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

/** Hides the state folder from Git, because it is not part of the synchronised content. */
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
      // Rename before unlinking, so that only one of two processes takes over a stale lock.
      const aside = `${file}.${process.pid}`;
      await rename(file, aside).catch(() => {});
      await unlink(aside).catch(() => {});
    }
  }
  throw new FolderInUse(`Another svc sync is at work in ${root}.`);
}

/** Whether a process still runs. After a container restarts, another process, often this one, has the same id. */
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

/** The kernel's start time of a process, which distinguishes it from later ones with its id; empty if unknown. */
async function startOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // The name in parentheses may contain spaces; the start time is the twentieth field after it.
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}
