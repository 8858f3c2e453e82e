import { diffBlocks } from "@svc/document/diff";
import { readBody } from "../../bodies/body.ts";
import { tellViews } from "../../bodies/change-body.ts";
import { breathe } from "../../db/batches.ts";
import type { Db } from "../../db/database.ts";
import type { DocumentRow, TrashRow } from "../../db/tables.ts";
import type { Actor } from "../../events/actor.ts";
import { ledgerOf } from "../../events/ledger.ts";
import type { Services } from "../../services.ts";
import { insertDocument } from "../documents/queries.ts";
import { lockStructure } from "../folders/lock-structure.ts";
import { type Folder, findLockedFolder, insertFolder } from "../folders/queries.ts";
import { insertRows, type PackedDocument, unpack } from "./packed.ts";
import { purgeDocument } from "./purge.ts";
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
  await lockStructure(tx, workspaceId);
  const entry = await takeTrash(tx, workspaceId, id, Date.now());
  const [packedFolders, ...packedDocuments] = await takeTrashItems(tx, workspaceId, id);
  const isThere = folderFinder(tx, entry);
  const folderIds: number[] = [];
  for (const folder of packedFolders ? unpack<Folder[]>(packedFolders) : []) {
    const parent_id = (await isThere(folder.parent_id)) ? folder.parent_id : null;
    await insertFolder(tx, { ...folder, parent_id });
    folderIds.push(folder.id);
  }
  const documentIds: string[] = [];
  for (const packed of packedDocuments) {
    documentIds.push(await restoreDocument(app, tx, unpack(packed), isThere, actor));
    await breathe();
  }
  const ledger = ledgerOf(tx, workspaceId);
  ledger.count("folders", folderIds.length, app.config.maxFolders);
  ledger.count("documents", documentIds.length, app.config.maxDocuments);
  ledger.countIn(entry.knowledge_base_id, { documents: documentIds.length, folders: folderIds.length });
  return { entry, documentIds, folderIds };
}

type IsThere = (folderId: number | null) => Promise<boolean>;

/** Tells whether a folder is there and still in the knowledge base of the entry; such a folder stays locked. */
function folderFinder(tx: Db, entry: TrashRow): IsThere {
  const known = new Map<number, boolean>();
  return async (folderId) => {
    if (folderId === null) return false;
    const isKnown = known.get(folderId);
    if (isKnown) return true;
    const folder = await findLockedFolder(tx, entry.workspace_id, folderId);
    const isThere = folder?.knowledge_base_id === entry.knowledge_base_id;
    known.set(folderId, isThere);
    return isThere;
  };
}

async function restoreDocument(
  app: Services,
  tx: Db,
  packed: PackedDocument,
  isThere: IsThere,
  actor: Actor,
): Promise<string> {
  const folder_id = (await isThere(packed.document.folder_id)) ? packed.document.folder_id : null;
  const document: DocumentRow = { ...packed.document, folder_id, updated_at: Date.now() };
  const key = { workspaceId: document.workspace_id, documentId: document.id };
  await purgeDocument(tx, key);
  await insertDocument(tx, document);
  await insertRows(tx, packed);
  const body = await readBody(tx, key);
  await tellViews(app, tx, { document, before: undefined, after: body, changes: diffBlocks([], body.blocks), actor });
  ledgerOf(tx, key.workspaceId).event("document.created", document, actor);
  return document.id;
}
