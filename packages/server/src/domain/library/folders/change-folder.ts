import { isUnchanged } from "../../../db/changed-columns.ts";
import type { Reader, Tx } from "../../../db/database.ts";
import type { ChildOrder } from "../../../db/schema/tables/documents.ts";
import { apiError, notFound } from "../../../errors.ts";
import type { Actor } from "../../../events/actor.ts";
import { ledgerOf } from "../../../events/ledger.ts";
import type { Services } from "../../../services.ts";
import { arriveLast, placeItem, startOrder, type WantedPlace } from "../order/place-item.ts";
import { lockIndexPage, renameIndexPage } from "./index-page.ts";
import { lockStructure } from "./lock-structure.ts";
import { moveDocumentsTo } from "./move-documents.ts";
import { type Place, resolvePlace } from "./place.ts";
import { type Folder, getFolder, moveFoldersTo, updateFolder } from "./queries.ts";
import { listSubtree } from "./subtree.ts";

interface FolderChange {
  readonly name?: string | undefined;
  readonly knowledgeBaseId?: number | undefined;
  readonly parentId?: number | null | undefined;
  readonly childOrder?: ChildOrder | undefined;
  readonly place?: WantedPlace | undefined;
  readonly indexDocumentId?: string | null | undefined;
}

interface FolderUpdate {
  readonly workspaceId: string;
  readonly id: number;
  readonly change: FolderChange;
  readonly actor: Actor;
  /** The caller's reader, for the siblings that a place names. */
  readonly shown?: Reader;
}

/** Renames or moves a folder. A change without an effect changes nothing, not even `updated_at`. */
export async function changeFolder(
  app: Services,
  tx: Tx,
  { workspaceId, id, change, actor, shown = tx }: FolderUpdate,
): Promise<Folder> {
  const { place, childOrder } = change;
  const isMove = change.knowledgeBaseId !== undefined || change.parentId !== undefined || place !== undefined;
  const found = await getFolder(tx, workspaceId, id);
  if (isMove) await lockStructure(tx, workspaceId);
  const moved = isMove && (await moveContents(app, tx, found, change, actor));
  const folder = await tx.lock("folder", workspaceId, id);
  if (!folder) throw notFound("folder", id);
  const isIndexConcerned = change.name !== undefined || change.indexDocumentId !== undefined;
  const page = isIndexConcerned ? await lockIndexPage(tx, folder, change.indexDocumentId) : undefined;
  const wanted = {
    name: change.name?.trim() ?? page?.title ?? folder.name,
    ...moved,
    ...(childOrder !== undefined && { child_order: childOrder }),
    ...(change.indexDocumentId !== undefined && { index_document_id: change.indexDocumentId }),
  };
  if (childOrder !== undefined && childOrder !== folder.child_order)
    await startOrder(tx, workspaceId, { knowledgeBaseId: folder.knowledge_base_id, folderId: id }, childOrder);
  if (page) await renameIndexPage(app, tx, page, wanted.name, actor);
  const isUpdated = !isUnchanged<Folder>(folder, wanted);
  const changed = isUpdated ? await updateFolder(tx, workspaceId, id, wanted) : folder;
  const parent = { knowledgeBaseId: changed.knowledge_base_id, folderId: changed.parent_id };
  const item = { type: "folder" as const, id };
  if (place) await placeItem(tx, { workspaceId, item, parent, place, shown });
  else if (changed.parent_id !== folder.parent_id || changed.knowledge_base_id !== folder.knowledge_base_id)
    await arriveLast(tx, workspaceId, item, parent);
  if (!isUpdated) return folder;
  for (const view of app.views) await view.folderMoved?.(tx, changed, app);
  return changed;
}

/** Moves the folder's contents if its knowledge base changes. */
async function moveContents(
  app: Services,
  tx: Tx,
  { workspace_id, id }: Folder,
  change: FolderChange,
  actor: Actor,
): Promise<Pick<Folder, "parent_id" | "knowledge_base_id">> {
  // Read again with the structure locked.
  const folder = await getFolder(tx, workspace_id, id);
  const current = { knowledgeBaseId: folder.knowledge_base_id, folderId: folder.parent_id };
  const isStaying = change.knowledgeBaseId === undefined && change.parentId === undefined;
  const folderId = isStaying ? folder.parent_id : change.parentId;
  const wanted = { knowledgeBaseId: change.knowledgeBaseId, folderId, isOrdered: change.place !== undefined };
  const place = await resolvePlace(tx, folder.workspace_id, wanted, current);
  const subtree = await listSubtree(tx, folder);
  if (subtree.some((inner) => inner.id === place.folderId))
    throw apiError("folder_cycle", { folder_id: folder.id, parent_id: place.folderId });
  if (place.knowledgeBaseId !== folder.knowledge_base_id) await moveSubtree(app, tx, folder, subtree, place, actor);
  return { parent_id: place.folderId, knowledge_base_id: place.knowledgeBaseId };
}

async function moveSubtree(
  app: Services,
  tx: Tx,
  folder: Folder,
  subtree: readonly Folder[],
  place: Place,
  actor: Actor,
): Promise<void> {
  const ids = subtree.map((inner) => inner.id);
  // The locks keep others from adding to the folders meanwhile.
  await tx.lockAll("folder", folder.workspace_id, ids, "delete");
  await moveFoldersTo(tx, folder.workspace_id, ids, place.knowledgeBaseId);
  const ledger = ledgerOf(tx, folder.workspace_id);
  ledger.countIn(folder.knowledge_base_id, { folders: -ids.length });
  ledger.countIn(place.knowledgeBaseId, { folders: ids.length });
  await moveDocumentsTo(app, tx, folder.workspace_id, ids, place.knowledgeBaseId, actor);
}
