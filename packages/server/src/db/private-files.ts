import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf } from "@svc/document/thrown";

/** Other users of the machine can read nothing of a store: folders get 0700 and files 0600, existing ones included. */
const OTHERS = 0o077;

type Warn = (details: object, message: string) => void;
const quiet: Warn = () => undefined;

/** Leaves the mode as it is if somebody else owns the path (a mounted volume), so that the server still starts. */
function close(path: string, mode: number, warn: Warn): void {
  if ((statSync(path).mode & OTHERS) === 0) return;
  try {
    chmodSync(path, mode);
  } catch (error) {
    warn({ path, err: error }, "others may read this, and its mode cannot be changed");
  }
}

export function makePrivateDirectory(directory: string, warn: Warn = quiet): void {
  makeDirectories(directory);
  close(directory, 0o700, warn);
}

/** Creates one level at a time: given a whole path, Node hangs where none can be created, such as in /proc. */
function makeDirectories(directory: string): void {
  const above = dirname(directory);
  if (above !== directory && !existsSync(above)) makeDirectories(above);
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== "EEXIST" || !statSync(directory).isDirectory()) throw error;
  }
}

/** For a directory that may not be needed: does not create it. */
export function closeDirectory(directory: string, warn: Warn): void {
  if (existsSync(directory)) close(directory, 0o700, warn);
}

/** Creates the database file before SQLite would do so with the umask; the WAL and its index get the same mode. */
export function makePrivateFile(file: string, warn: Warn = quiet): void {
  closeSync(openSync(file, "a", 0o600));
  for (const path of [file, `${file}-wal`, `${file}-shm`]) if (existsSync(path)) close(path, 0o600, warn);
}
