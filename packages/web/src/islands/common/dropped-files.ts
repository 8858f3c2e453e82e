/** What was dropped on a page. */
export interface Dropped {
  readonly files: readonly File[];
  /** Names of folders: a browser gives them like files, and then cannot read them. */
  readonly folders: readonly string[];
}

/** Has to be called while the event is handled: afterwards the browser tells no more what was dropped. */
export function droppedFiles(data: DataTransfer): Dropped {
  const entries = [...data.items].map((item) => item.webkitGetAsEntry());
  const folders = entries.flatMap((entry) => (entry?.isDirectory ? [entry.name] : []));
  return { files: [...data.files].filter(({ name }) => !folders.includes(name)), folders };
}

/** A file that was not taken, and why. */
export interface Refused {
  readonly name: string;
  readonly reason: string;
}

const FOLDER = "Folders are not uploaded: choose the files in it.";

export const refusedFolders = (folders: readonly string[]): Refused[] =>
  folders.map((name) => ({ name, reason: FOLDER }));

const MOST_NAMED = 3;

/** As "a.txt, b.txt: There is no room."; each reason once, with the files that it is true for. */
export function refusalText(refused: readonly Refused[]): string {
  const byReason = Map.groupBy(refused, ({ reason }) => reason);
  return [...byReason].map(([reason, files]) => `${namesOf(files)}: ${reason}`).join(" ");
}

function namesOf(files: readonly Refused[]): string {
  const named = files.slice(0, MOST_NAMED).map(({ name }) => name);
  const more = files.length - named.length;
  return named.join(", ") + (more > 0 ? ` and ${more} more` : "");
}
