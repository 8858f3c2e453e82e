import { defined } from "@svc/document/defined";
import { sql } from "kysely";
import type { Reader } from "../../../db/database.ts";
import type { Folder } from "./queries.ts";

/** A folder and all its descendants, parents before children. */
export async function listSubtree(db: Reader, folder: Folder): Promise<Folder[]> {
  const below = sql<Folder>`(
    with recursive below as (
      select * from folders where workspace_id = ${folder.workspace_id} and parent_id = ${folder.id}
      union all
      select f.* from below join folders f on f.workspace_id = below.workspace_id and f.parent_id = below.id
    ) select * from below)`;
  const rows = await db.selectFrom(below.as("below")).selectAll().execute();
  const byParent = Map.groupBy(rows, (row) => row.parent_id);
  const subtree = [folder];
  for (let i = 0; i < subtree.length; i++)
    for (const child of byParent.get(defined(subtree[i]).id) ?? []) subtree.push(child);
  return subtree;
}

/** The folders from the top down to this one. */
export async function listAncestors(db: Reader, folder: Folder): Promise<Folder[]> {
  const above = sql<Folder>`(
    with recursive above as (
      select * from folders where workspace_id = ${folder.workspace_id} and id = ${folder.parent_id}
      union all
      select f.* from above join folders f on f.workspace_id = above.workspace_id and f.id = above.parent_id
    ) select * from above)`;
  const rows = await db.selectFrom(above.as("above")).selectAll().execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  const path: Folder[] = [];
  for (let at: Folder | undefined = folder; at; at = at.parent_id === null ? undefined : byId.get(at.parent_id))
    path.push(at);
  return path.reverse();
}
