import { defined } from "@svc/document/defined";
import type { Reader } from "../../db/database.ts";
import { listTopDocuments, listTreeDocumentsIn, type TreeDocument } from "../documents/queries.ts";
import { type Folder, getFolder, listFilledFolders, listSubfolders, listTopFolders } from "../folders/queries.ts";
import { byName, compareNames } from "../knowledge-bases/natural-order.ts";
import { getKnowledgeBase } from "../knowledge-bases/queries.ts";
import { documentItem, folderItem } from "./read-tree.ts";

/** What a folder holds itself: folders first, each by name or title. */
export async function listChildren(db: Reader, workspaceId: string, id: number) {
  await getFolder(db, workspaceId, id);
  const folders = await listSubfolders(db, workspaceId, id);
  return inOrder(db, workspaceId, folders, await listTreeDocumentsIn(db, workspaceId, [id]));
}

/** The same for the top level of a knowledge base. */
export async function listTopLevel(db: Reader, workspaceId: string, id: number) {
  await getKnowledgeBase(db, workspaceId, id);
  const folders = await listTopFolders(db, workspaceId, id);
  return inOrder(db, workspaceId, folders, await listTopDocuments(db, workspaceId, id));
}

async function inOrder(db: Reader, workspaceId: string, unsorted: Folder[], rows: TreeDocument[]) {
  const folders = unsorted.sort(byName((folder) => folder.name));
  const filled = await listFilledFolders(
    db,
    workspaceId,
    folders.map((folder) => folder.id),
  );
  const documents = rows.sort(byName((document) => document.title));
  return [
    ...folders.map((folder) => ({ ...folderItem(folder), has_children: filled.has(folder.id) })),
    ...documents.map(documentItem),
  ];
}

export type Child = Awaited<ReturnType<typeof listChildren>>[number];
type Place = readonly (string | number)[];

/** Where a child stands in the list: kind, name, id. */
export const placeOf = (child: Child): Place =>
  child.type === "folder" ? [0, child.name, child.id] : [1, child.title, child.id];

/** The children that stand after a place; all of them after none. */
export const childrenAfter = (children: readonly Child[], after: Place): readonly Child[] =>
  after.length === 0 ? children : children.filter((child) => comparePlaces(placeOf(child), after) > 0);

const comparePlaces = ([kind, name, id]: Place, [otherKind, otherName, otherId]: Place): number =>
  Number(kind) - Number(otherKind) ||
  compareNames(String(name), String(otherName)) ||
  (defined(id) > defined(otherId) ? 1 : -1);
