import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { codeOf } from "@svc/document/thrown";

/** Why there can be no small disk here, if so. */
export const noSmallDisk = (): string | false => {
  try {
    new SmallDisk(1)[Symbol.dispose]();
    return false;
  } catch {
    return "no right: a disk that can be filled has to be mounted, which is root's";
  }
};

/** A file system of its own with little room, which can be filled. */
export class SmallDisk implements Disposable {
  readonly directory = mkdtempSync(join(tmpdir(), "svc-disk-"));
  readonly #filler = join(this.directory, "filler");

  constructor(megabytes: number) {
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", this.directory], { stdio: "ignore" });
    } catch (error) {
      rmSync(this.directory, { recursive: true });
      throw error;
    }
  }

  /** Leaves less than a page. */
  fill(): void {
    for (let bytes = this.#free(); bytes > 0; bytes = this.#free())
      try {
        writeFileSync(this.#filler, Buffer.alloc(bytes), { flag: "a" });
      } catch (error) {
        if (codeOf(error) !== "ENOSPC") throw error;
      }
  }

  empty(): void {
    rmSync(this.#filler, { force: true });
  }

  /** Nothing can be written to it from now on. Only while no file is open for writing. */
  makeReadOnly(): void {
    execFileSync("mount", ["-o", "remount,ro", this.directory]);
  }

  [Symbol.dispose](): void {
    execFileSync("umount", ["-l", this.directory]);
    rmSync(this.directory, { recursive: true, force: true });
  }

  #free(): number {
    const { bavail, bsize } = statfsSync(this.directory);
    return bavail * bsize;
  }
}
