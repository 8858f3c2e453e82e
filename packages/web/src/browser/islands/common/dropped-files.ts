/** Files dropped on a page. */
export interface Dropped {
  readonly files: readonly File[];
  /** Names of folders: a browser lists them like files but cannot read them. */
  readonly folders: readonly string[];
}

/** Must be called while the event is handled: afterwards the browser hides the dropped files. */
export function droppedFiles(data: DataTransfer): Dropped {
  const entries = [...data.items].map((item) => item.webkitGetAsEntry());
  const folders = entries.flatMap((entry) => (entry?.isDirectory ? [entry.name] : []));
  return { files: [...data.files].filter(({ name }) => !folders.includes(name)), folders };
}

/** A refused file with the reason. */
export interface Refused {
  readonly name: string;
  readonly reason: string;
}

const FOLDER = "Folders are not uploaded: choose the files in it.";

export const refusedFolders = (folders: readonly string[]): Refused[] =>
  folders.map((name) => ({ name, reason: FOLDER }));

const MAX_NAMED = 3;

/** For example "a.txt, b.txt: There is no room."; each reason once, with its files. */
export function refusalText(refused: readonly Refused[]): string {
  const byReason = Map.groupBy(refused, ({ reason }) => reason);
  return [...byReason].map(([reason, files]) => `${namesOf(files)}: ${reason}`).join(" ");
}

function namesOf(files: readonly Refused[]): string {
  const named = files.slice(0, MAX_NAMED).map(({ name }) => name);
  const more = files.length - named.length;
  return named.join(", ") + (more > 0 ? ` and ${more} more` : "");
}
