import { titleKey } from "@svc/document/read/title-key";
import type { Folder } from "../../resources/folders/queries.ts";

/** The keys of the names of the folders that a document is in, from the top. */
export type Place = readonly string[];

/** Finds the place of a folder of a knowledge base. */
export function placesOf(folders: readonly Folder[]): (folderId: number | null) => Place {
  const byId = new Map(folders.map((folder) => [folder.id, folder]));
  const known = new Map<number, Place>();
  const placeOf = (id: number | null): Place => {
    const folder = id === null ? undefined : byId.get(id);
    if (folder === undefined) return [];
    const found = known.get(folder.id) ?? [...placeOf(folder.parent_id), titleKey(folder.name).trim()];
    known.set(folder.id, found);
    return found;
  };
  return placeOf;
}

/**
 * How well a page in a place fits what a link in another place says: as a path from there, as one from the top, as the
 * end of one, or by its title alone. `path` has the folders and the page.
 */
export function fitOf(path: string, from: Place, place: Place): number {
  const folders = path.split("/").slice(0, -1);
  if (isEqual(walk(from, folders), place)) return 3;
  const down = folders.filter((step) => step !== "..");
  if (down.length === 0) return 0;
  if (isEqual(down, place)) return 2;
  return isEqual(down, place.slice(-down.length)) ? 1 : 0;
}

function walk(from: Place, steps: readonly string[]): Place {
  const place = [...from];
  for (const step of steps)
    if (step === "..") place.pop();
    else place.push(step);
  return place;
}

const isEqual = (a: Place, b: Place): boolean => a.length === b.length && a.every((step, i) => step === b[i]);

/** A page of a title, and where it is. */
interface Placed {
  readonly id: string;
  readonly place: Place;
}

const join = (place: Place): string => place.join("\0");

/** Pages of one title, first ones first: finds the one that fits a link best, without looking at each of them. */
export function nearestOf(pages: readonly Placed[]): (path: string, from: Place) => Placed | undefined {
  /** By the last folders of their place: of each number of folders that was asked for. */
  const byEnd = new Map<number, ReadonlyMap<string, Placed>>();
  const endingIn = (end: Place): Placed | undefined => {
    const known = byEnd.get(end.length) ?? firstBy(pages, ({ place }) => ending(place, end.length));
    byEnd.set(end.length, known);
    return known.get(join(end));
  };
  const whole = firstBy(pages, ({ place }) => join(place));
  return (path, from) => {
    const folders = path.split("/").slice(0, -1);
    const down = folders.filter((step) => step !== "..");
    const named = down.length === 0 ? undefined : (whole.get(join(down)) ?? endingIn(down));
    return whole.get(join(walk(from, folders))) ?? named ?? pages[0];
  };
}

const ending = (place: Place, length: number): string | undefined =>
  place.length < length ? undefined : join(place.slice(-length));

function firstBy(pages: readonly Placed[], keyOf: (page: Placed) => string | undefined): ReadonlyMap<string, Placed> {
  const first = new Map<string, Placed>();
  for (const page of pages) {
    const key = keyOf(page);
    if (key !== undefined && !first.has(key)) first.set(key, page);
  }
  return first;
}
