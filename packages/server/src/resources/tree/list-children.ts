import { defined } from "@svc/document/defined";
import type { Reader } from "../../db/database.ts";
import { listTopDocuments, listTreeDocumentsIn } from "../documents/queries.ts";
import { getFolder, listFilledFolders, listSubfolders, listTopFolders } from "../folders/queries.ts";
import { compareNames } from "../knowledge-bases/natural-order.ts";
import { getKnowledgeBase } from "../knowledge-bases/queries.ts";
import { documentItem, folderItem } from "./read-tree.ts";

type Item = ReturnType<typeof folderItem> | ReturnType<typeof documentItem>;

/** What a folder holds itself, in any order. */
export async function readChildren(db: Reader, workspaceId: string, id: number): Promise<Item[]> {
  await getFolder(db, workspaceId, id);
  const folders = await listSubfolders(db, workspaceId, id);
  const documents = await listTreeDocumentsIn(db, workspaceId, [id]);
  return [...folders.map(folderItem), ...documents.map(documentItem)];
}

/** The same for the top level of a knowledge base. */
export async function readTopLevel(db: Reader, workspaceId: string, id: number): Promise<Item[]> {
  await getKnowledgeBase(db, workspaceId, id);
  const folders = await listTopFolders(db, workspaceId, id);
  const documents = await listTopDocuments(db, workspaceId, id);
  return [...folders.map(folderItem), ...documents.map(documentItem)];
}

type Place = readonly (string | number)[];

/** Where a child stands in the list: kind, name, id. */
export const placeOf = (child: Item): Place =>
  child.type === "folder" ? [0, child.name, child.id] : [1, child.title, child.id];

const comparePlaces = ([kind, name, id]: Place, [otherKind, otherName, otherId]: Place): number =>
  Number(kind) - Number(otherKind) ||
  compareNames(String(name), String(otherName)) ||
  (defined(id) > defined(otherId) ? 1 : -1);

/**
 * The first `size` children behind a place: folders first, each by name or title. A page of a long folder does not sort
 * all of it: what stands behind the best so far is passed over.
 */
export function firstAfter(children: readonly Item[], after: Place, size: number): Item[] {
  const compare = (a: Held, b: Held) => comparePlaces(a.place, b.place);
  let best: Held[] = [];
  let last: Place | undefined;
  const cut = () => {
    best = best.sort(compare).slice(0, size);
    last = best.length === size ? best.at(-1)?.place : undefined;
  };
  for (const item of children) {
    const place = placeOf(item);
    if (after.length > 0 && comparePlaces(place, after) <= 0) continue;
    if (last && comparePlaces(place, last) > 0) continue;
    if (best.push({ item, place }) >= 2 * size) cut();
  }
  cut();
  return best.map(({ item }) => item);
}

interface Held {
  readonly item: Item;
  readonly place: Place;
}

/** Folders also say whether they have children. */
export async function withFilled(db: Reader, workspaceId: string, children: readonly Item[]) {
  const folders = children.flatMap((child) => (child.type === "folder" ? child.id : []));
  const filled = await listFilledFolders(db, workspaceId, folders);
  return children.map((child) => (child.type === "folder" ? { ...child, has_children: filled.has(child.id) } : child));
}
