import type { Db } from "../../db/database.ts";
import { type Folder, listFoldersOf } from "./queries.ts";

/** A folder and all folders below it, parents before children. */
export async function listSubtree(db: Db, folder: Folder): Promise<Folder[]> {
  const all = await listFoldersOf(db, folder.workspace_id, folder.knowledge_base_id);
  const byParent = new Map<number, Folder[]>();
  for (const other of all)
    if (other.parent_id !== null) byParent.set(other.parent_id, [...(byParent.get(other.parent_id) ?? []), other]);
  const subtree = [folder];
  for (let i = 0; i < subtree.length; i++) subtree.push(...(byParent.get(subtree[i]!.id) ?? []));
  return subtree;
}

/** The folders from the top down to this one. */
export async function listAncestors(db: Db, folder: Folder): Promise<Folder[]> {
  const all = new Map((await listFoldersOf(db, folder.workspace_id, folder.knowledge_base_id)).map((f) => [f.id, f]));
  const path: Folder[] = [];
  for (let at: Folder | undefined = folder; at; at = at.parent_id === null ? undefined : all.get(at.parent_id))
    path.unshift(at);
  return path;
}
