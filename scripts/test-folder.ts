/**
 * Where the stores of a test run are: in memory where there is enough of it. Tests end processes, never machines, so what
 * was written is there afterwards either way, and a disk would only be waited for.
 */
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
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
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
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

/** What runs left behind that were killed: in memory it would stay until the machine restarts. */
export function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = /^svc-tests-(\d+)-/.exec(name)?.[1];
    if (pid && !isRunning(Number(pid))) rmSync(join(parent, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) !== "ESRCH";
  }
}
