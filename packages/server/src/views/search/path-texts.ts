import type { Db } from "../../db/database.ts";
import { prepareList } from "../../db/prepared-lists.ts";
import type { DocumentRow } from "../../db/tables.ts";

const folders = prepareList((db, ids: readonly number[]) =>
  db.selectFrom("folders").select(["id", "name", "parent_id"]).where("workspace_id", "=", "").where("id", "in", ids),
);

type Place = Pick<DocumentRow, "id" | "title" | "folder_id"> & { readonly base_name: string | null };

/** For each document the names from its knowledge base down to its title, in one query per level of folders. */
export async function pathTexts(
  db: Db,
  workspaceId: string,
  documents: readonly Place[],
): Promise<ReadonlyMap<string, string>> {
  const above = await foldersAbove(db, workspaceId, documents);
  return new Map(
    documents.map((document) => {
      const names = [document.title];
      for (let id = document.folder_id; id !== null; ) {
        const folder = above.get(id);
        if (!folder) break;
        names.unshift(folder.name);
        id = folder.parent_id;
      }
      return [document.id, [document.base_name ?? "", ...names].join(" / ")];
    }),
  );
}

type FolderName = { readonly id: number; readonly name: string; readonly parent_id: number | null };

async function foldersAbove(
  db: Db,
  workspaceId: string,
  documents: readonly Place[],
): Promise<ReadonlyMap<number, FolderName>> {
  const found = new Map<number, FolderName>();
  let wanted = new Set(documents.flatMap(({ folder_id }) => folder_id ?? []));
  while (wanted.size > 0) {
    const rows: FolderName[] = await folders(db, [workspaceId], [...wanted]);
    for (const row of rows) found.set(row.id, row);
    wanted = new Set(rows.flatMap(({ parent_id }) => (parent_id === null || found.has(parent_id) ? [] : parent_id)));
  }
  return found;
}
