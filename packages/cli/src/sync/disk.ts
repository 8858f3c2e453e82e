import { randomBytes } from "node:crypto";
import type { Dirent, Stats } from "node:fs";
import { link, lstat, mkdir, open, readdir, readFile, rename, rmdir, unlink } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { codeOf } from "@svc/document/thrown";
import { directoryOf, isConflictFile, isGitFolder, isHidden, isMarkdown, join as joinPath } from "./names.ts";

/** The state folder inside the synchronised folder. */
export const PRIVATE = ".svc-sync";

/** A file changed after it was read. The step had no effect; the next pass reads the file again. */
export class ChangedMeanwhile extends Error {
  override readonly name = "ChangedMeanwhile";
}

export interface Scan {
  /** Markdown files. */
  readonly files: readonly string[];
  /** Directories with their inode number, which a rename keeps. */
  readonly directories: ReadonlyMap<string, string>;
  /** All entries of any type. */
  readonly entries: readonly string[];
  /** Links, which are never followed. */
  readonly links: readonly string[];
  /** Directories that cannot be listed, so that their contents are unknown. */
  readonly closed: readonly string[];
  /** Files that cannot be opened because their names are not valid text. */
  readonly nameless: readonly string[];
}

interface FileFacts {
  readonly size: number;
  /** In milliseconds since 1970. */
  readonly modified: number;
}

/** The folder's files. Paths are relative, with `/`. Every step is atomic. */
export interface Disk {
  scan(): Promise<Scan>;
  /** The text of a file; undefined if the file does not exist, null if it is not UTF-8. */
  read(path: string): Promise<string | null | undefined>;
  /** The content of a file; undefined if it does not exist, null if the path is not a regular file in the folder. */
  readBytes(path: string): Promise<Uint8Array | null | undefined>;
  /** Facts that change when the file may have changed; undefined if the file does not exist. */
  facts(path: string): Promise<FileFacts | undefined>;
  /** Writes a file if its content is `expected` (undefined: the file does not exist). */
  write(path: string, content: string | Uint8Array, expected: string | undefined): Promise<void>;
  move(from: string, to: string): Promise<void>;
  /** Removes a file if its content is `expected`. */
  remove(path: string, expected: string): Promise<void>;
  makeDirectory(path: string): Promise<void>;
  /** Removes an empty directory; returns false for a directory with contents, which stays. */
  removeDirectory(path: string): Promise<boolean>;
}

const UNFINISHED = "new-";
const MAX_LOOKS = 5;
/** The character that replaces invalid UTF-8 in a name. */
const NO_LETTER = "\uFFFD";

/** A scan in progress. */
interface Found extends Scan {
  readonly files: string[];
  readonly directories: Map<string, string>;
  readonly entries: string[];
  readonly links: string[];
  readonly closed: string[];
  readonly nameless: string[];
}

const emptyScan = (): Found => ({
  files: [],
  directories: new Map(),
  entries: [],
  links: [],
  closed: [],
  nameless: [],
});

/** Removes the files that a killed run had not finished writing. */
export async function removeUnfinished(root: string): Promise<void> {
  const names = await readdir(join(root, PRIVATE));
  for (const name of names.filter((one) => one.startsWith(UNFINISHED))) await unlink(join(root, PRIVATE, name));
}

export class FolderDisk implements Disk {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** Scans the folder again if a directory disappeared, because that scan may have missed moved files. */
  async scan(): Promise<Scan> {
    for (let look = 1; ; look++) {
      const found = emptyScan();
      if (await this.#walk("", found)) return found;
      if (look >= MAX_LOOKS) throw new ChangedMeanwhile(`Directories in ${this.#root} come and go.`);
    }
  }

  /** Records the contents of a directory and its subdirectories; false if one of them disappeared. */
  async #walk(directory: string, found: Found): Promise<boolean> {
    const entries = await this.#entriesOf(directory, found);
    for (const entry of entries?.sort((a, b) => (a.name < b.name ? -1 : 1)) ?? []) {
      const path = joinPath(directory, entry.name);
      if (path === PRIVATE) continue;
      if (entry.name.includes(NO_LETTER) && !(await statOf(join(this.#root, path)))) {
        found.nameless.push(path);
        continue;
      }
      found.entries.push(path);
      if (entry.isSymbolicLink()) found.links.push(path);
      else if (isHidden(entry.name)) continue;
      else if (entry.isDirectory()) {
        const stats = await lstat(join(this.#root, path), { bigint: true }).catch(unlessGone);
        if (!stats) return false;
        found.directories.set(path, `${stats.dev}:${stats.ino}`);
        if (!(await this.#walk(path, found))) return false;
      } else if (entry.isFile() && isMarkdown(entry.name) && !isConflictFile(entry.name)) found.files.push(path);
    }
    return entries !== undefined;
  }

  /** Lists a directory; undefined if it disappeared. Without the root folder there is nothing to compare. */
  async #entriesOf(directory: string, found: Found): Promise<Dirent[] | undefined> {
    try {
      return await readdir(join(this.#root, directory), { withFileTypes: true });
    } catch (error) {
      if (directory === "") throw error;
      if (["ENOENT", "ENOTDIR"].includes(codeOf(error))) return undefined;
      if (!["EACCES", "EPERM"].includes(codeOf(error))) throw error;
      found.closed.push(directory);
      return [];
    }
  }

  async read(path: string): Promise<string | null | undefined> {
    const full = await this.#place(path);
    const stats = await statOf(full);
    if (!stats) return undefined;
    if (!stats.isFile()) throw new ChangedMeanwhile(`${path} is not a file.`);
    const bytes = await readFile(full).catch(unlessGone);
    if (!bytes) return undefined;
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      return null;
    }
  }

  async readBytes(path: string): Promise<Uint8Array | null | undefined> {
    try {
      const full = await this.#place(path);
      const stats = await statOf(full);
      return stats?.isFile() ? await readFile(full) : stats && null;
    } catch (error) {
      if (isOutOfReach(error)) return null;
      throw error;
    }
  }

  async facts(path: string): Promise<FileFacts | undefined> {
    try {
      const stats = await statOf(await this.#place(path));
      return stats?.isFile() ? { size: stats.size, modified: stats.mtimeMs } : undefined;
    } catch (error) {
      if (isOutOfReach(error)) return undefined;
      throw error;
    }
  }

  async write(path: string, content: string | Uint8Array, expected: string | undefined): Promise<void> {
    await this.makeDirectory(directoryOf(path));
    const full = await this.#place(path);
    const fresh = join(this.#root, PRIVATE, UNFINISHED + randomBytes(8).toString("hex"));
    try {
      await writeDurably(
        fresh,
        typeof content === "string" && (await lostMark(full, content)) ? `${BYTE_ORDER_MARK}${content}` : content,
      );
      if ((await this.read(path)) !== expected) throw new ChangedMeanwhile(`${path} was changed meanwhile.`);
      await (expected === undefined ? putNew(fresh, full).catch(refuseExisting(path)) : rename(fresh, full));
    } finally {
      await unlink(fresh).catch(() => {});
    }
    await flushDirectory(dirname(full));
  }

  async move(from: string, to: string): Promise<void> {
    await this.makeDirectory(directoryOf(to));
    const [source, target] = [await this.#place(from), await this.#place(to)];
    const [stats, there] = [await statOf(source), await statOf(target)];
    if (!stats) throw new ChangedMeanwhile(`${from} is no longer there.`);
    if (there && there.ino !== stats.ino) throw new ChangedMeanwhile(`${to} is there already.`);
    await rename(source, target);
    await flushDirectory(dirname(target));
  }

  async remove(path: string, expected: string): Promise<void> {
    if ((await this.read(path)) !== expected) throw new ChangedMeanwhile(`${path} was changed meanwhile.`);
    const full = await this.#place(path);
    await unlink(full);
    await flushDirectory(dirname(full));
  }

  async makeDirectory(path: string): Promise<void> {
    if (path === "") return;
    partsOf(path);
    await this.makeDirectory(directoryOf(path));
    const full = await this.#place(path);
    await mkdir(full).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
      if (!(await statOf(full))?.isDirectory()) throw new ChangedMeanwhile(`${path} is not a directory.`);
    });
  }

  async removeDirectory(path: string): Promise<boolean> {
    try {
      await rmdir(await this.#place(path));
      return true;
    } catch (error) {
      if (["ENOENT", "ENOTEMPTY", "EEXIST"].includes(codeOf(error))) return false;
      throw error;
    }
  }

  /** The full path, after checking that it is inside the folder: no `..`, and no link on the way. */
  async #place(path: string): Promise<string> {
    const parts = partsOf(path);
    if (parts.some(isGitFolder)) throw new ChangedMeanwhile(`${path} belongs to Git.`);
    let full = this.#root;
    for (const part of parts) {
      full = join(full, part);
      if ((await statOf(full))?.isSymbolicLink())
        throw new ChangedMeanwhile(`${path} leads through a link, which is not followed.`);
    }
    return full;
  }
}

/** Whether an error means a link on the way, a name that no file can have, or a file without read permission. */
const isOutOfReach = (error: unknown): boolean =>
  error instanceof ChangedMeanwhile || ["EACCES", "EPERM", "ENAMETOOLONG", "EINVAL"].includes(codeOf(error));

/** The names in a path; throws if one could lead outside the folder. */
function partsOf(path: string): string[] {
  const parts = path.split("/");
  const isName = (part: string) =>
    part !== "" && part !== "." && part !== ".." && !part.includes("\0") && !part.includes(sep);
  if (!parts.every(isName)) throw new Error(`${JSON.stringify(path)} is not a path inside of the folder.`);
  return parts;
}

const unlessGone = (error: NodeJS.ErrnoException): undefined => {
  if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
};

const statOf = (full: string): Promise<Stats | undefined> => lstat(full).catch(unlessGone);

/** Errors of file systems without hard links, such as exFAT, network shares and the storage of phones. */
const NO_HARD_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

/** Gives a finished file its name. Fails if that file exists by now; a plain rename would replace it. */
async function putNew(fresh: string, full: string): Promise<void> {
  try {
    await link(fresh, full);
  } catch (error) {
    if (!NO_HARD_LINKS.has(codeOf(error))) throw error;
    await (await open(full, "wx")).close();
    await rename(fresh, full);
  }
}

const refuseExisting = (path: string) => (error: NodeJS.ErrnoException) => {
  throw error.code === "EEXIST" ? new ChangedMeanwhile(`${path} has appeared meanwhile.`) : error;
};

export async function writeDurably(full: string, text: string | Uint8Array): Promise<void> {
  const file = await open(full, "w");
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes a rename durable. Windows neither offers nor needs this. */
export async function flushDirectory(full: string): Promise<void> {
  if (process.platform === "win32") return;
  const directory = await open(full, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

const BYTE_ORDER_MARK = "\uFEFF";

/** Whether a file begins with a byte order mark that its new text lacks, as texts written by the service do. */
async function lostMark(full: string, text: string): Promise<boolean> {
  if (text.startsWith(BYTE_ORDER_MARK)) return false;
  const file = await open(full).catch(() => undefined);
  try {
    const { bytesRead, buffer } = (await file?.read(Buffer.alloc(3), 0, 3, 0)) ?? {
      bytesRead: 0,
      buffer: Buffer.alloc(0),
    };
    return bytesRead === 3 && buffer.equals(Buffer.from(BYTE_ORDER_MARK));
  } finally {
    await file?.close();
  }
}
