import type { Db } from "../../db/database.ts";
import { listTreeDocuments, type TreeDocument } from "../documents/queries.ts";
import { type Folder, listFoldersOf } from "../folders/queries.ts";
import { getKnowledgeBase } from "./queries.ts";
import { knowledgeBaseOf } from "./represent.ts";

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "variant" });

/** Natural order: case and accents last, numbers by value; equal names by id. */
export const byName = <T>(nameOf: (item: T) => string) => {
  return (a: T, b: T) => collator.compare(nameOf(a), nameOf(b));
};

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

const groupBy = <T>(items: readonly T[], keyOf: (item: T) => number | null): Map<number | null, T[]> => {
  const groups = new Map<number | null, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
};

/** The whole tree in three queries, whatever its size. */
export async function readTree(db: Db, workspaceId: string, id: number) {
  const knowledgeBase = await getKnowledgeBase(db, workspaceId, id);
  const folders = groupBy((await listFoldersOf(db, workspaceId, id)).sort(byName((f) => f.name)), (f) => f.parent_id);
  const documents = groupBy(
    (await listTreeDocuments(db, workspaceId, id)).sort(byName((d) => d.title)),
    (document) => document.folder_id,
  );
  const childrenOf = (parent: number | null): unknown[] => [
    ...(folders.get(parent) ?? []).map((folder) => ({ ...folderItem(folder), children: childrenOf(folder.id) })),
    ...(documents.get(parent) ?? []).map(documentItem),
  ];
  return { knowledge_base: knowledgeBaseOf(knowledgeBase), children: childrenOf(null) };
}
