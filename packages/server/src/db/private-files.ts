import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf } from "@svc/document/thrown";

/** Others on the machine read nothing of a store: folders are 0700 and files 0600, also those that were there before. */
const OTHERS = 0o077;

type Warn = (details: object, message: string) => void;
const quiet: Warn = () => undefined;

/** Whose owner is somebody else (a mounted volume) stays as it is: the server must start there all the same. */
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

/** One after the other: asked for a whole path, Node never comes back from places that take none, such as /proc. */
function makeDirectories(directory: string): void {
  const above = dirname(directory);
  if (above !== directory && !existsSync(above)) makeDirectories(above);
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== "EEXIST" || !statSync(directory).isDirectory()) throw error;
  }
}

/** For a directory that may not be needed: nothing is made. */
export function closeDirectory(directory: string, warn: Warn): void {
  if (existsSync(directory)) close(directory, 0o700, warn);
}

/** Makes the database file before SQLite does, which would ask the umask; the log and its index follow the file's mode. */
export function makePrivateFile(file: string, warn: Warn = quiet): void {
  closeSync(openSync(file, "a", 0o600));
  for (const path of [file, `${file}-wal`, `${file}-shm`]) if (existsSync(path)) close(path, 0o600, warn);
}
