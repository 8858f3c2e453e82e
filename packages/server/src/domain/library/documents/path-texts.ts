import type { Reader } from "../../../db/database.ts";
import type { DocumentRow } from "../../../db/schema/tables/documents.ts";
import { statement } from "../../../db/statement/statement.ts";

type Ids = { readonly workspaceId: string; readonly ids: readonly number[] };

const folders = statement<Ids, FolderName>(
  (db, value) =>
    db
      .selectFrom("folders")
      .select(["id", "name", "parent_id"])
      .where("workspace_id", "=", value("workspaceId"))
      .where("id", "in", value("ids")),
  { sharing: "batched", list: "ids" },
);
const bases = statement<Ids, Omit<FolderName, "parent_id">>(
  (db, value) =>
    db
      .selectFrom("knowledge_bases")
      .select(["id", "name"])
      .where("workspace_id", "=", value("workspaceId"))
      .where("id", "in", value("ids")),
  { sharing: "batched", list: "ids" },
);

export type Place = Pick<DocumentRow, "title" | "knowledge_base_id" | "folder_id">;

/** For each of these documents, the names from its knowledge base down to its title; reads each level at once. */
export async function pathTexts(
  db: Reader,
  workspaceId: string,
  documents: Iterable<Place>,
): Promise<(document: Place) => string> {
  const baseIds = new Set<number>();
  const folderIds = new Set<number>();
  for (const { knowledge_base_id, folder_id } of documents) {
    baseIds.add(knowledge_base_id);
    if (folder_id !== null) folderIds.add(folder_id);
  }
  const names = new Map((await bases(db, { workspaceId, ids: [...baseIds] })).map(({ id, name }) => [id, name]));
  const above = await foldersAbove(db, workspaceId, folderIds);
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
  ids: ReadonlySet<number>,
): Promise<ReadonlyMap<number | null, FolderName>> {
  const found = new Map<number | null, FolderName>();
  let wanted = ids;
  while (wanted.size > 0) {
    const rows: readonly FolderName[] = await folders(db, { workspaceId, ids: [...wanted] });
    for (const row of rows) found.set(row.id, row);
    wanted = new Set(rows.flatMap(({ parent_id }) => (parent_id === null || found.has(parent_id) ? [] : parent_id)));
  }
  return found;
}
