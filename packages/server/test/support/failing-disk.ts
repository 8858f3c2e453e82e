import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

/** Why no disk can fail here, if so. */
export const noFailingDisk = (): string | false => {
  try {
    using disk = new FailingDisk();
    disk.fail();
    return false;
  } catch {
    return "no right: a disk that can fail is a loop device with ext4, which is root's";
  }
};

const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { stdio: ["ignore", "pipe", "ignore"], encoding: "utf8" });

/** A file system that finds an error and becomes read-only under the programs that have files open, as a dying disk does. */
export class FailingDisk implements Disposable {
  readonly #place = mkdtempSync(join(tmpdir(), "svc-failing-"));
  readonly #image = join(this.#place, "image");
  readonly directory = mkdtempSync(join(tmpdir(), "svc-failing-disk-"));
  #isMounted = false;

  constructor(megabytes = 64) {
    try {
      writeFileSync(this.#image, "");
      run("truncate", "-s", `${megabytes}M`, this.#image);
      run("mkfs.ext4", "-q", this.#image);
      this.#mount();
    } catch (error) {
      this[Symbol.dispose]();
      throw error;
    }
  }

  fail(): void {
    const device = basename(run("losetup", "-n", "-O", "NAME", "-j", this.#image).trim());
    writeFileSync(`/sys/fs/ext4/${device}/trigger_fs_error`, "a test");
  }

  /** Checked, repaired and back. Only while no program has a file open on it. */
  mend(): void {
    this.#unmount();
    try {
      run("e2fsck", "-f", "-y", this.#image);
    } catch (error) {
      if (!(error instanceof Error && "status" in error && error.status === 1)) throw error; // 1: errors were found and corrected
    }
    this.#mount();
  }

  #mount(): void {
    run("mount", "-o", "loop,errors=remount-ro", this.#image, this.directory);
    this.#isMounted = true;
  }

  #unmount(): void {
    run("umount", this.directory);
    this.#isMounted = false;
  }

  [Symbol.dispose](): void {
    if (this.#isMounted) run("umount", "-l", this.directory);
    for (const path of [this.directory, this.#place]) rmSync(path, { recursive: true, force: true });
  }
}
