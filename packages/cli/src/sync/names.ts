import { posix } from "node:path";
import { withoutInvisible } from "@svc/document/without-invisible";

const EXTENSION = ".md";
const MAX_BYTES = 200;
/** Names that mean devices on Windows, with any ending. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
const CONFLICT = /\.conflict-[\w-]+\.md$/i;

export const isMarkdown = (path: string): boolean => path.toLowerCase().endsWith(EXTENSION);
/** The short name that NTFS gives `.git`. */
const SHORT_GIT = /^git~(\d+)$/i;

/** Whether some file system takes a name for `.git`: HFS+ skips invisible characters, NTFS has short names and streams. */
export function isGitFolder(name: string): boolean {
  const read = withoutInvisible(name)
    .replace(/:.*$/s, "")
    .replace(/[. ]+$/, "");
  return /^\.git$/i.test(read) || SHORT_GIT.test(read);
}

/** Names of the conflict copies beside a file that both sides changed. They are never synchronised. */
export const isConflictFile = (path: string): boolean => CONFLICT.test(path);

/** A title or a folder's name as a file name that every system takes, and that means nothing to us or to the shell. */
export function safeName(title: string): string {
  const cleaned = withoutInvisible(title)
    .normalize("NFC")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
    .replace(/[/\\:*?"<>|\x00-\x1f\x7f]/g, "_")
    .replace(/\.conflict-/gi, "_conflict-")
    .trim();
  const name = shortened(cleaned, MAX_BYTES)
    .replace(/^\./, "_")
    .replace(/[. ]+$/, "")
    .replace(SHORT_GIT, "git_$1");
  return name === "" ? "_" : RESERVED.test(name) ? `_${name}` : name;
}

function shortened(text: string, bytes: number): string {
  let [result, size] = ["", 0];
  for (const character of text) {
    size += Buffer.byteLength(character);
    if (size > bytes) break;
    result += character;
  }
  return result;
}

/** `..md` is a page whose name is a dot: a command may be called so. */
const isDots = (name: string): boolean => /^\.+$/.test(name);

/** Files and directories that are left alone. */
export const isHidden = (name: string): boolean =>
  name.startsWith(".") && !(isMarkdown(name) && isDots(name.slice(0, -EXTENSION.length)));

/** The name of a document's file, without the ending: what the service has noted, or else the title. */
const fileBase = (name: string): string => (isDots(name) ? name : safeName(name));

/** How paths are compared: some file systems ignore case and Unicode normalization. */
export const folded = (path: string): string => path.normalize("NFC").toLowerCase();

export const join = (directory: string, name: string): string => (directory === "" ? name : `${directory}/${name}`);
export const directoryOf = (path: string): string => (path.includes("/") ? posix.dirname(path) : "");
export const nameOf = (path: string): string => posix.basename(path);
/** The title that a file's name says. */
export const titleOf = (path: string): string => nameOf(path).slice(0, -EXTENSION.length).normalize("NFC").trim();

/** The path for a name in a directory, with a number where others have taken it. */
function freePath(directory: string, name: string, ending: string, isTaken: (path: string) => boolean): string {
  for (let number = 1; ; number++) {
    const path = join(directory, `${name}${number === 1 ? "" : ` (${number})`}${ending}`);
    if (!isTaken(path)) return path;
  }
}

export const freeFile = (directory: string, title: string, isTaken: (path: string) => boolean): string =>
  freePath(directory, fileBase(title), EXTENSION, isTaken);

export const freeDirectory = (directory: string, name: string, isTaken: (path: string) => boolean): string =>
  freePath(directory, safeName(name), "", isTaken);

/** `photo (2).png`: the number stands before the ending. */
export const numbered = (name: string, number: number): string =>
  number === 1 ? name : `${posix.parse(name).name} (${number})${posix.extname(name)}`;

export const plainFile = (directory: string, title: string): string => join(directory, fileBase(title) + EXTENSION);

/** Beside the file, named after the version that it conflicts with. */
export function conflictFile(path: string, version: string, number: number): string {
  const short = version.replace(/^sha256:/, "").slice(0, 12);
  return `${path.slice(0, -EXTENSION.length)}.conflict-${short}${number === 1 ? "" : `-${number}`}${EXTENSION}`;
}

/** The path after a directory above it (or itself) has moved, or undefined when it has not. */
export function movedPath(path: string, from: string, to: string): string | undefined {
  if (path === from) return to;
  return path.startsWith(`${from}/`) ? to + path.slice(from.length) : undefined;
}
