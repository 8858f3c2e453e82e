import type { Reader } from "../../../db/database.ts";
import type { DocumentRow } from "../../../db/schema/tables/documents.ts";
import { prepareList } from "../../../db/statement/list-statement.ts";

const folders = prepareList(
  (db, ids: readonly number[]) =>
    db.selectFrom("folders").select(["id", "name", "parent_id"]).where("workspace_id", "=", "").where("id", "in", ids),
  "batched",
);
const bases = prepareList(
  (db, ids: readonly number[]) =>
    db.selectFrom("knowledge_bases").select(["id", "name"]).where("workspace_id", "=", "").where("id", "in", ids),
  "batched",
);

export type Place = Pick<DocumentRow, "title" | "knowledge_base_id" | "folder_id">;

/** Tells of each of these documents the names from its knowledge base down to its title, each level read at once. */
export async function pathTexts(
  db: Reader,
  workspaceId: string,
  documents: readonly Place[],
): Promise<(document: Place) => string> {
  const baseIds = new Set(documents.map((document) => document.knowledge_base_id));
  const names = new Map((await bases(db, [workspaceId], [...baseIds])).map(({ id, name }) => [id, name]));
  const above = await foldersAbove(db, workspaceId, documents);
  return ({ title, knowledge_base_id, folder_id }) => {
    let path = title;
    for (let folder = above.get(folder_id); folder; folder = above.get(folder.parent_id))
      path = `${folder.name} / ${path}`;
    return `${names.get(knowledge_base_id) ?? ""} / ${path}`;
  };
}

type FolderName = { readonly id: number; readonly name: string; readonly parent_id: number | null };

async function foldersAbove(
  db: Reader,
  workspaceId: string,
  documents: readonly Place[],
): Promise<ReadonlyMap<number | null, FolderName>> {
  const found = new Map<number | null, FolderName>();
  let wanted = new Set(documents.flatMap(({ folder_id }) => folder_id ?? []));
  while (wanted.size > 0) {
    const rows: FolderName[] = await folders(db, [workspaceId], [...wanted]);
    for (const row of rows) found.set(row.id, row);
    wanted = new Set(rows.flatMap(({ parent_id }) => (parent_id === null || found.has(parent_id) ? [] : parent_id)));
  }
  return found;
}
