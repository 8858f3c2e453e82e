import { titleKey } from "@svc/document/read/title-key";
import type { Folder } from "../../domain/library/folders/queries.ts";

/** The keys of the names of a document's folders, from the top. */
export type FolderPath = readonly string[];

/** Returns a function that finds the path of a folder in a knowledge base. */
export function folderPaths(folders: readonly Folder[]): (folderId: number | null) => FolderPath {
  const byId = new Map(folders.map((folder) => [folder.id, folder]));
  const known = new Map<number, FolderPath>();
  const pathOf = (id: number | null): FolderPath => {
    const folder = id === null ? undefined : byId.get(id);
    if (folder === undefined) return [];
    const found = known.get(folder.id) ?? [...pathOf(folder.parent_id), titleKey(folder.name).trim()];
    known.set(folder.id, found);
    return found;
  };
  return pathOf;
}

/**
 * Rates how well a page fits a link's text: as a path from the link's folder, as one from the top, as the end of one,
 * or by its title alone. `wanted` holds the folders and the title in the link.
 */
export function fitOf(wanted: string, from: FolderPath, page: FolderPath): number {
  const folders = wanted.split("/").slice(0, -1);
  if (isEqual(walk(from, folders), page)) return 3;
  const down = folders.filter((step) => step !== "..");
  if (down.length === 0) return 0;
  if (isEqual(down, page)) return 2;
  return isEqual(down, page.slice(-down.length)) ? 1 : 0;
}

function walk(from: FolderPath, steps: readonly string[]): FolderPath {
  const path = [...from];
  for (const step of steps)
    if (step === "..") path.pop();
    else path.push(step);
  return path;
}

const isEqual = (a: FolderPath, b: FolderPath): boolean => a.length === b.length && a.every((step, i) => step === b[i]);

/** A page with some title, and its path. */
interface LocatedPage {
  readonly id: string;
  readonly path: FolderPath;
}

const join = (path: FolderPath): string => path.join("\0");

/** Finds the page that fits a link best among those with one title, sorted by age, without looking at each of them. */
export function nearestOf(
  pages: readonly LocatedPage[],
): (wanted: string, from: FolderPath) => LocatedPage | undefined {
  /** By the last folders of their path, for each number of folders that was asked for. */
  const byEnd = new Map<number, ReadonlyMap<string, LocatedPage>>();
  const endingIn = (end: FolderPath): LocatedPage | undefined => {
    const known = byEnd.get(end.length) ?? firstBy(pages, ({ path }) => ending(path, end.length));
    byEnd.set(end.length, known);
    return known.get(join(end));
  };
  const whole = firstBy(pages, ({ path }) => join(path));
  return (wanted, from) => {
    const folders = wanted.split("/").slice(0, -1);
    const down = folders.filter((step) => step !== "..");
    const named = down.length === 0 ? undefined : (whole.get(join(down)) ?? endingIn(down));
    return whole.get(join(walk(from, folders))) ?? named ?? pages[0];
  };
}

const ending = (path: FolderPath, length: number): string | undefined =>
  path.length < length ? undefined : join(path.slice(-length));

function firstBy(
  pages: readonly LocatedPage[],
  keyOf: (page: LocatedPage) => string | undefined,
): ReadonlyMap<string, LocatedPage> {
  const first = new Map<string, LocatedPage>();
  for (const page of pages) {
    const key = keyOf(page);
    if (key !== undefined && !first.has(key)) first.set(key, page);
  }
  return first;
}
