import type { Db } from "../../db/database.ts";
import type { DocumentRow } from "../../db/tables.ts";

type Place = Pick<DocumentRow, "id" | "title" | "knowledge_base_id" | "folder_id">;

/** For each document the names from its knowledge base down to its title, in one query per level of folders. */
export async function pathTexts(
  db: Db,
  workspaceId: string,
  documents: readonly Place[],
): Promise<ReadonlyMap<string, string>> {
  if (documents.length === 0) return new Map();
  const bases = await namesOf(db, "knowledge_bases", workspaceId, [
    ...new Set(documents.map((document) => document.knowledge_base_id)),
  ]);
  const folders = await foldersAbove(db, workspaceId, documents);
  return new Map(
    documents.map((document) => {
      const names = [document.title];
      for (let id = document.folder_id; id !== null; ) {
        const folder = folders.get(id);
        if (!folder) break;
        names.unshift(folder.name);
        id = folder.parent_id;
      }
      return [document.id, [bases.get(document.knowledge_base_id) ?? "", ...names].join(" / ")];
    }),
  );
}

async function namesOf(
  db: Db,
  table: "knowledge_bases",
  workspaceId: string,
  ids: readonly number[],
): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom(table)
    .select(["id", "name"])
    .where("workspace_id", "=", workspaceId)
    .where("id", "in", ids)
    .execute();
  return new Map(rows.map((row) => [row.id, row.name]));
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
    const rows: FolderName[] = await db
      .selectFrom("folders")
      .select(["id", "name", "parent_id"])
      .where("workspace_id", "=", workspaceId)
      .where("id", "in", [...wanted])
      .execute();
    for (const row of rows) found.set(row.id, row);
    wanted = new Set(rows.flatMap(({ parent_id }) => (parent_id === null || found.has(parent_id) ? [] : parent_id)));
  }
  return found;
}
