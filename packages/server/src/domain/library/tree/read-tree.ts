import type { Reader } from "../../../db/database.ts";
import { listTreeDocuments, type TreeDocument } from "../documents/queries.ts";
import { type Folder, listFoldersOf } from "../folders/queries.ts";
import { byName } from "../knowledge-bases/natural-order.ts";
import { getKnowledgeBase } from "../knowledge-bases/queries.ts";
import { knowledgeBaseOf } from "../knowledge-bases/represent.ts";

export const documentItem = (document: TreeDocument) => ({
  type: "document" as const,
  id: document.id,
  title: document.title,
  document_type: document.document_type,
  folder_id: document.folder_id,
  updated_at: document.updated_at,
});

export const folderItem = (folder: Folder) => ({
  type: "folder" as const,
  id: folder.id,
  name: folder.name,
  parent_id: folder.parent_id,
});

/** The whole tree as JSON, from three concurrent queries, whatever its size. */
export async function readTree(db: Reader, workspaceId: string, id: number): Promise<string> {
  const [base, allFolders, allDocuments] = await Promise.all([
    getKnowledgeBase(db, workspaceId, id),
    listFoldersOf(db, workspaceId, id),
    listTreeDocuments(db, workspaceId, id),
  ]);
  const knowledgeBase = JSON.stringify(knowledgeBaseOf(base));
  const folders = Map.groupBy(allFolders, (folder) => folder.parent_id);
  const documents = Map.groupBy(allDocuments, (document) => document.folder_id);
  return `{"knowledge_base":${knowledgeBase},"children":[${writeChildren(folders, documents)}]}`;
}

interface Level {
  readonly parent: number | null;
  readonly folders: readonly Folder[];
  next: number;
}

/** Written without recursion, because folders may be nested to any depth. */
function writeChildren(
  folders: ReadonlyMap<number | null, Folder[]>,
  documents: ReadonlyMap<number | null, TreeDocument[]>,
): string {
  const open = (parent: number | null): Level => {
    const inside = folders.get(parent) ?? [];
    return { parent, folders: inside.sort(byName((folder) => folder.name)), next: 0 };
  };
  const parts: string[] = [];
  const levels = [open(null)];
  for (let level = levels.at(-1); level; level = levels.at(-1)) {
    const folder = level.folders[level.next++];
    if (folder) {
      if (level.next > 1) parts.push(",");
      parts.push(JSON.stringify(folderItem(folder)).slice(0, -1), ',"children":[');
      levels.push(open(folder.id));
      continue;
    }
    parts.push(writeDocuments(documents.get(level.parent) ?? [], level.folders.length > 0));
    levels.pop();
    if (levels.length > 0) parts.push("]}");
  }
  return parts.join("");
}

function writeDocuments(documents: TreeDocument[], isContinued: boolean): string {
  if (documents.length === 0) return "";
  const sorted = documents.sort(byName((document) => document.title));
  return (isContinued ? "," : "") + JSON.stringify(sorted.map(documentItem)).slice(1, -1);
}
