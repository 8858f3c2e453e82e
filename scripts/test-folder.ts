/**
 * The folder for the stores of a test run: in memory where there is enough of it. Tests end processes, never the machine,
 * so written data survives either way, and a disk would only slow the tests down.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { codeOf } from "@svc/document/thrown";

const MEMORY = "/dev/shm";
/** `f_type` of a file system in memory, in Linux. */
const TMPFS = 0x01021994;
/** Many times what a whole run has at once. */
const ENOUGH_BYTES = 4 * 2 ** 30;

/** A new folder that every user may enter, as PostgreSQL's does; what it held goes with `remove`. */
export function makeTestFolder(): { readonly folder: string; remove(): void } {
  const parent = process.env.TMPDIR === undefined && hasRoom(MEMORY) ? MEMORY : tmpdir();
  removeAbandoned(parent);
  const folder = mkdtempSync(join(parent, `svc-tests-${process.pid}-`));
  chmodSync(folder, 0o711);
  return { folder, remove: () => removeFolder(folder) };
}

/** A container may have a small one, or little memory behind it. */
function hasRoom(folder: string): boolean {
  try {
    const { type, bavail, bsize } = statfsSync(folder);
    return type === TMPFS && Math.min(bavail * bsize, process.availableMemory() / 2) >= ENOUGH_BYTES;
  } catch {
    return false;
  }
}

/** Removes the folders of killed runs: in memory they would stay until the machine restarts. */
export function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = /^svc-tests-(\d+)-/.exec(name)?.[1];
    if (pid && !isRunning(Number(pid))) removeFolder(join(parent, name));
  }
}

/** A test that was killed may have left a small disk mounted. */
function removeFolder(folder: string): void {
  try {
    for (const mount of mountsBelow(folder)) execFileSync("umount", ["--lazy", mount], { stdio: "ignore" });
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    console.error(`${folder} could not be removed: ${error}`);
  }
}

function mountsBelow(folder: string): string[] {
  if (process.platform !== "linux") return [];
  const mounts = readFileSync("/proc/mounts", "utf8").split("\n");
  return mounts.map((line) => line.split(" ")[1] ?? "").filter((mount) => mount.startsWith(`${folder}/`));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) !== "ESRCH";
  }
}
