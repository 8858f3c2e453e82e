import type { Db } from "../../db/database.ts";
import { apiError } from "../../errors.ts";
import type { Actor } from "../../events/actor.ts";
import { ledgerOf } from "../../events/ledger.ts";
import type { Services } from "../../services.ts";
import { moveDocumentsTo } from "../documents/move-documents.ts";
import { lockKnowledgeBase } from "../knowledge-bases/queries.ts";
import { type Place, resolvePlace } from "./place.ts";
import { type Folder, getFolder, moveFoldersTo, updateFolder } from "./queries.ts";
import { listSubtree } from "./subtree.ts";

export interface FolderChange {
  readonly name?: string | undefined;
  readonly knowledgeBaseId?: number | undefined;
  readonly parentId?: number | null | undefined;
}

export async function changeFolder(
  app: Services,
  tx: Db,
  { workspaceId, id, change, actor }: { workspaceId: string; id: number; change: FolderChange; actor: Actor },
): Promise<Folder> {
  const name = change.name === undefined ? {} : { name: change.name.trim() };
  if (change.knowledgeBaseId === undefined && change.parentId === undefined) {
    await getFolder(tx, workspaceId, id);
    return updateFolder(tx, workspaceId, id, name);
  }
  const folder = await lockStructure(tx, workspaceId, id);
  const current = { knowledgeBaseId: folder.knowledge_base_id, folderId: folder.parent_id };
  const wanted = { knowledgeBaseId: change.knowledgeBaseId, folderId: change.parentId };
  const place = await resolvePlace(tx, workspaceId, wanted, current);
  const subtree = await listSubtree(tx, folder);
  if (subtree.some((inner) => inner.id === place.folderId))
    throw apiError("folder_cycle", { folder_id: id, parent_id: place.folderId });
  if (place.knowledgeBaseId !== folder.knowledge_base_id) await moveContents(app, tx, folder, subtree, place, actor);
  return updateFolder(tx, workspaceId, id, {
    ...name,
    parent_id: place.folderId,
    knowledge_base_id: place.knowledgeBaseId,
  });
}

/** The folder, once no other change of its knowledge base's folders runs: two moves can never close a cycle together. */
async function lockStructure(tx: Db, workspaceId: string, id: number): Promise<Folder> {
  const seen = await getFolder(tx, workspaceId, id);
  await lockKnowledgeBase(tx, workspaceId, seen.knowledge_base_id);
  const folder = await getFolder(tx, workspaceId, id);
  return folder.knowledge_base_id === seen.knowledge_base_id ? folder : lockStructure(tx, workspaceId, id);
}

async function moveContents(
  app: Services,
  tx: Db,
  folder: Folder,
  subtree: readonly Folder[],
  place: Place,
  actor: Actor,
): Promise<void> {
  const ids = subtree.map((inner) => inner.id);
  await moveFoldersTo(tx, folder.workspace_id, ids, place.knowledgeBaseId);
  const ledger = ledgerOf(tx, folder.workspace_id);
  ledger.countIn(folder.knowledge_base_id, { folders: -ids.length });
  ledger.countIn(place.knowledgeBaseId, { folders: ids.length });
  await moveDocumentsTo(app, tx, folder.workspace_id, ids, place.knowledgeBaseId, actor);
}
