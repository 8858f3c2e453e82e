import type { Db } from "../../db/database.ts";
import { listTreeDocumentsIn } from "../documents/queries.ts";
import { byName } from "../knowledge-bases/natural-order.ts";
import { documentItem, folderItem } from "../knowledge-bases/read-tree.ts";
import { getFolder, listFilledFolders, listSubfolders } from "./queries.ts";

/** What a folder holds itself: folders first, each by name or title. */
export async function listChildren(db: Db, workspaceId: string, id: number): Promise<unknown[]> {
  await getFolder(db, workspaceId, id);
  const folders = (await listSubfolders(db, workspaceId, id)).sort(byName((folder) => folder.name));
  const filled = await listFilledFolders(
    db,
    workspaceId,
    folders.map((folder) => folder.id),
  );
  const documents = (await listTreeDocumentsIn(db, workspaceId, id)).sort(byName((document) => document.title));
  return [
    ...folders.map((folder) => ({ ...folderItem(folder), has_children: filled.has(folder.id) })),
    ...documents.map(documentItem),
  ];
}
