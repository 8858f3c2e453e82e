import { diffBlocks } from "@svc/document/diff";
import { readBody } from "../../bodies/body.ts";
import { tellViews } from "../../bodies/change-body.ts";
import type { Db } from "../../db/database.ts";
import type { DocumentRow, TrashRow } from "../../db/tables.ts";
import type { Actor } from "../../events/actor.ts";
import { ledgerOf } from "../../events/ledger.ts";
import type { Services } from "../../services.ts";
import { insertDocument } from "../documents/queries.ts";
import { type Folder, insertFolder, lockFolder } from "../folders/queries.ts";
import { lockKnowledgeBase } from "../knowledge-bases/queries.ts";
import { deleteStates } from "../localization/queries.ts";
import { variantLeft } from "../localization/variant-left.ts";
import { insertRows, type PackedDocument, unpack } from "./packed.ts";
import { takeTrash, takeTrashItems } from "./queries.ts";

export interface Restored {
  readonly entry: TrashRow;
  readonly documentIds: readonly string[];
  readonly folderIds: readonly number[];
}

/** Puts a deleted document or folder back where it was, with the same ids; at the top level if its folder is gone. */
export async function restore(
  app: Services,
  tx: Db,
  { workspaceId, id, actor }: { workspaceId: string; id: string; actor: Actor },
): Promise<Restored> {
  const entry = await takeTrash(tx, workspaceId, id, Date.now());
  await lockKnowledgeBase(tx, workspaceId, entry.knowledge_base_id);
  const [packedFolders, ...packedDocuments] = await takeTrashItems(tx, workspaceId, id);
  const folders = packedFolders ? await restoreFolders(tx, unpack<Folder[]>(packedFolders)) : new Set<number>();
  const documentIds: string[] = [];
  for (const packed of packedDocuments)
    documentIds.push(await restoreDocument(app, tx, unpack(packed), folders, actor));
  const ledger = ledgerOf(tx, workspaceId);
  ledger.count("folders", folders.size, app.config.maxFolders);
  ledger.count("documents", documentIds.length, app.config.maxDocuments);
  ledger.countIn(entry.knowledge_base_id, { documents: documentIds.length, folders: folders.size });
  return { entry, documentIds, folderIds: [...folders] };
}

async function restoreFolders(tx: Db, folders: readonly Folder[]): Promise<Set<number>> {
  const restored = new Set<number>();
  for (const folder of folders) {
    const hasParent =
      folder.parent_id !== null && (restored.has(folder.parent_id) || (await isThere(tx, folder, folder.parent_id)));
    await insertFolder(tx, { ...folder, parent_id: hasParent ? folder.parent_id : null });
    restored.add(folder.id);
  }
  return restored;
}

const isThere = (
  tx: Db,
  thing: { workspace_id: string; knowledge_base_id: number },
  folderId: number,
): Promise<boolean> =>
  lockFolder(tx, thing.workspace_id, folderId).then(
    (folder) => folder.knowledge_base_id === thing.knowledge_base_id,
    () => false,
  );

async function restoreDocument(
  app: Services,
  tx: Db,
  packed: PackedDocument,
  folders: ReadonlySet<number>,
  actor: Actor,
): Promise<string> {
  const { folder_id } = packed.document;
  const hasFolder = folder_id !== null && (folders.has(folder_id) || (await isThere(tx, packed.document, folder_id)));
  const document: DocumentRow = {
    ...packed.document,
    ...(await variantLeft(tx, packed.document)),
    folder_id: hasFolder ? folder_id : null,
    updated_at: Date.now(),
  };
  const key = { workspaceId: document.workspace_id, documentId: document.id };
  await tx
    .deleteFrom("purges")
    .where("workspace_id", "=", key.workspaceId)
    .where("document_id", "=", key.documentId)
    .execute();
  await insertDocument(tx, document);
  await insertRows(tx, packed);
  if (document.document_set_id !== packed.document.document_set_id)
    await deleteStates(tx, key.workspaceId, [document.id]);
  const body = await readBody(tx, key);
  await tellViews(app, tx, { document, before: undefined, after: body, changes: diffBlocks([], body.blocks), actor });
  ledgerOf(tx, key.workspaceId).event("document.created", document, actor);
  return document.id;
}
