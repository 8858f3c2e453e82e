import { type Folder, getFolder, listFoldersOf } from "../../library/folders/queries.ts";
import { listSubtree } from "../../library/folders/subtree.ts";
import { getKnowledgeBase, type KnowledgeBase } from "../../library/knowledge-bases/queries.ts";
import type { ExportSource } from "./export-source.ts";

/** The part of a knowledge base to export: all of it, or one folder, which becomes the top of the archive. */
export interface Scope {
  readonly top: Pick<KnowledgeBase, "id" | "name" | "created_at" | "updated_at">;
  readonly folders: readonly Folder[];
  /** Returns the documents that are in scope, with folders relative to the top. */
  readonly scoped: <Document extends { readonly folder_id: number | null }>(
    documents: readonly Document[],
  ) => Document[];
}

export async function readScope({ db, workspaceId, knowledgeBaseId, folderId }: ExportSource): Promise<Scope> {
  const base = await getKnowledgeBase(db, workspaceId, knowledgeBaseId);
  if (folderId === undefined) {
    const folders = await listFoldersOf(db, workspaceId, knowledgeBaseId);
    return { top: base, folders, scoped: (documents) => [...documents] };
  }
  const [folder, ...below] = await listSubtree(db, await getFolder(db, workspaceId, folderId));
  const ids = new Set<number | null>([folderId, ...below.map(({ id }) => id)]);
  const fromTop = (id: number | null) => (id === folderId ? null : id);
  return {
    top: { ...base, name: folder?.name ?? base.name },
    folders: below.map((row) => ({ ...row, parent_id: fromTop(row.parent_id) })),
    scoped: (documents) =>
      documents.flatMap((row) => (ids.has(row.folder_id) ? { ...row, folder_id: fromTop(row.folder_id) } : [])),
  };
}
