import type { Reader } from "../../../db/database.ts";
import { listTreeDocuments, type TreeDocument } from "../documents/queries.ts";
import { type Folder, listFoldersOf } from "../folders/queries.ts";
import { getKnowledgeBase, type KnowledgeBase } from "../knowledge-bases/queries.ts";
import { knowledgeBaseOf } from "../knowledge-bases/represent.ts";
import { parentKey } from "../order/place-keys.ts";
import { listPlaces } from "../order/queries.ts";
import { type Places, sortSiblings } from "../order/sort-siblings.ts";

export const documentItem = (document: TreeDocument) => ({
  type: "document" as const,
  id: document.id,
  title: document.title,
  document_type: document.document_type,
  folder_id: document.folder_id,
  updated_at: document.updated_at,
});

export const folderItem = (folder: Folder, indexPage: string | null) => ({
  type: "folder" as const,
  id: folder.id,
  name: folder.name,
  parent_id: folder.parent_id,
  index_document_id: indexPage,
});

/** The whole tree as JSON, from three concurrent queries, whatever its size, and a fourth if people have ordered items. */
export async function readTree(db: Reader, workspaceId: string, id: number): Promise<string> {
  const [base, folders, documents] = await Promise.all([
    getKnowledgeBase(db, workspaceId, id),
    listFoldersOf(db, workspaceId, id),
    listTreeDocuments(db, workspaceId, id),
  ]);
  const ordered = [
    ...(base.child_order === "manual" ? [parentKey(id, null)] : []),
    ...folders.flatMap((folder) => (folder.child_order === "manual" ? parentKey(id, folder.id) : [])),
  ];
  const tree: TreeRows = {
    base,
    folders: Map.groupBy(folders, (folder) => folder.parent_id),
    documents: Map.groupBy(documents, (document) => document.folder_id),
    places: await listPlaces(db, workspaceId, ordered),
  };
  return `{"knowledge_base":${JSON.stringify(knowledgeBaseOf(base))},"children":[${writeChildren(tree)}]}`;
}

interface TreeRows {
  readonly base: KnowledgeBase;
  readonly folders: ReadonlyMap<number | null, Folder[]>;
  readonly documents: ReadonlyMap<number | null, TreeDocument[]>;
  readonly places: Places;
}

type TreeRow = (Folder & { readonly type: "folder" }) | (TreeDocument & { readonly type: "document" });

/** The items of one parent in their order. */
function rowsOf({ base, folders, documents, places }: TreeRows, parent: Folder | undefined): TreeRow[] {
  const id = parent?.id ?? null;
  const rows: TreeRow[] = [
    ...(folders.get(id) ?? []).map((row) => ({ ...row, type: "folder" as const })),
    ...(documents.get(id) ?? []).map((row) => ({ ...row, type: "document" as const })),
  ];
  return sortSiblings(rows, (parent ?? base).child_order, places);
}

/** Null if it is hidden from the reader. */
const indexPageOf = ({ documents }: TreeRows, { id, index_document_id: page }: Folder): string | null =>
  page !== null && documents.get(id)?.some((document) => document.id === page) ? page : null;

/** Written without recursion, because folders may be nested to any depth. */
function writeChildren(tree: TreeRows): string {
  const parts: string[] = [];
  const levels = [{ rows: rowsOf(tree, undefined), next: 0 }];
  for (let level = levels.at(-1); level; level = levels.at(-1)) {
    const row = level.rows[level.next++];
    if (!row) {
      levels.pop();
      if (levels.length > 0) parts.push("]}");
      continue;
    }
    if (level.next > 1) parts.push(",");
    if (row.type === "document") parts.push(JSON.stringify(documentItem(row)));
    else {
      parts.push(JSON.stringify(folderItem(row, indexPageOf(tree, row))).slice(0, -1), ',"children":[');
      levels.push({ rows: rowsOf(tree, row), next: 0 });
    }
  }
  return parts.join("");
}
