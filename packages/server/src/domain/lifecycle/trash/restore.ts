import { diffPlaces } from "@svc/document/diff";
import { updateViews } from "../../../bodies/change-body.ts";
import { readBody } from "../../../bodies/load-body.ts";
import { unpack } from "../../../bodies/packing.ts";
import type { Tx } from "../../../db/database.ts";
import type { DocumentRow, TrashRow } from "../../../db/schema/tables/documents.ts";
import { yieldToEventLoop } from "../../../db/statement/batches.ts";
import type { Actor } from "../../../events/actor.ts";
import { ledgerOf } from "../../../events/ledger.ts";
import type { Services } from "../../../services.ts";
import { restoreAttachmentsOf } from "../../content/attachments/follow-documents.ts";
import { deleteStates } from "../../knowledge/localization/queries.ts";
import { variantLeft } from "../../knowledge/localization/variant-left.ts";
import { insertDocument } from "../../library/documents/queries.ts";
import { lockStructure } from "../../library/folders/lock-structure.ts";
import { type Folder, insertFolder } from "../../library/folders/queries.ts";
import { keepKnowledgeBases } from "../../library/knowledge-bases/queries.ts";
import { noProperties } from "../../library/properties/set-properties.ts";
import { insertRows, type PackedDocument } from "./packed.ts";
import { purgeDocument } from "./purge.ts";
import { countTrashDocuments, getTrash, takeTrash, takeTrashItems } from "./queries.ts";
import { checkRoom } from "./room.ts";

/** Documents per transaction: few enough that other writers hardly wait. */
const STEP = 25;

interface Restoration {
  readonly workspaceId: string;
  readonly id: string;
  readonly actor: Actor;
}

interface Restored {
  readonly documentIds: readonly string[];
  readonly folderIds: readonly number[];
}

/**
 * Restores all but the last few documents of a large entry in short transactions, so that others can write in between.
 * After a crash, the rest stays in the trash and can be restored again. An entry without enough room is refused before
 * anything is restored.
 */
export async function restoreInSteps(app: Services, restoration: Restoration): Promise<Restored> {
  const { workspaceId, id } = restoration;
  const documents = await countTrashDocuments(app.database.read, workspaceId, id);
  if (documents > STEP) await checkRoom(app, workspaceId, id, documents);
  const done: { documentIds: string[]; folderIds: number[] } = { documentIds: [], folderIds: [] };
  for (let left = documents; left > STEP; left -= STEP) {
    const step = await app.database.transaction(async (tx) => {
      await lockStructure(tx, workspaceId);
      return restoreItems(app, tx, restoration, await getTrash(tx, workspaceId, id, Date.now()), STEP);
    });
    done.documentIds.push(...step.documentIds);
    done.folderIds.push(...step.folderIds);
    await yieldToEventLoop();
  }
  return done;
}

/** Restores the rest of a deleted document or folder to its location, with the same ids. */
export async function restore(
  app: Services,
  tx: Tx,
  restoration: Restoration,
): Promise<Restored & { readonly endedLinks: number }> {
  await lockStructure(tx, restoration.workspaceId);
  const entry = await takeTrash(tx, restoration.workspaceId, restoration.id, Date.now());
  const restored = await restoreItems(app, tx, restoration, entry, Number.MAX_SAFE_INTEGER);
  return { ...restored, endedLinks: entry.ended_links };
}

/** Items whose folder is gone or was moved elsewhere go to the top level of their knowledge base. */
async function restoreItems(
  app: Services,
  tx: Tx,
  { workspaceId, id, actor }: Restoration,
  entry: TrashRow,
  limit: number,
): Promise<Restored> {
  await keepKnowledgeBases(tx, workspaceId, [entry.knowledge_base_id]);
  const isThere = folderFinder(tx, entry);
  const folderIds: number[] = [];
  const documentIds: string[] = [];
  for (const { position, packed } of await takeTrashItems(tx, workspaceId, id, limit)) {
    if (position === 0) folderIds.push(...(await restoreFolders(tx, unpack(packed), isThere)));
    else documentIds.push(await restoreDocument(app, tx, unpack(packed), isThere, actor));
  }
  const ledger = ledgerOf(tx, workspaceId);
  ledger.count("folders", folderIds.length, app.config.maxFolders);
  ledger.count("documents", documentIds.length, app.config.maxDocuments);
  ledger.countIn(entry.knowledge_base_id, { documents: documentIds.length, folders: folderIds.length });
  return { documentIds, folderIds };
}

/** A folder that still exists, because its deletion was interrupted, stays unchanged. */
async function restoreFolders(tx: Tx, folders: readonly Folder[], isThere: IsThere): Promise<number[]> {
  const restored: number[] = [];
  for (const folder of folders) {
    if (await tx.lock("folder", folder.workspace_id, folder.id, "keep")) continue;
    await insertFolder(tx, { ...folder, parent_id: (await isThere(folder.parent_id)) ? folder.parent_id : null });
    restored.push(folder.id);
  }
  return restored;
}

type IsThere = (folderId: number | null) => Promise<boolean>;

/**
 * Returns a function that checks whether a folder exists and is still in the entry's knowledge base; such a folder
 * stays locked.
 */
function folderFinder(tx: Tx, entry: TrashRow): IsThere {
  const known = new Map<number, boolean>();
  return async (folderId) => {
    if (folderId === null) return false;
    const isKnown = known.get(folderId);
    if (isKnown) return true;
    const folder = await tx.lock("folder", entry.workspace_id, folderId, "keep");
    const isThere = folder?.knowledge_base_id === entry.knowledge_base_id;
    known.set(folderId, isThere);
    return isThere;
  };
}

/** Defaults for columns that documents in an older trash lack. */
const missingThen = { ...noProperties, file_name: null, is_template: 0, updated_by: null };

async function restoreDocument(
  app: Services,
  tx: Tx,
  packed: PackedDocument,
  isThere: IsThere,
  actor: Actor,
): Promise<string> {
  const folder_id = (await isThere(packed.document.folder_id)) ? packed.document.folder_id : null;
  const variant = await variantLeft(tx, packed.document);
  const document: DocumentRow = {
    ...missingThen,
    ...packed.document,
    ...variant,
    folder_id,
    updated_at: Date.now(),
  };
  const key = { workspaceId: document.workspace_id, documentId: document.id };
  await purgeDocument(tx, key);
  await insertDocument(tx, document);
  await insertRows(tx, packed);
  await restoreAttachmentsOf(app, tx, document);
  if (document.document_set_id !== packed.document.document_set_id)
    await deleteStates(tx, key.workspaceId, [document.id]);
  const body = await readBody(tx, key);
  const changes = diffPlaces([], body.blocks);
  await updateViews(app, tx, { document, before: undefined, after: body, changes, actor, reason: "restored" });
  ledgerOf(tx, key.workspaceId).event("document.created", document, actor);
  return document.id;
}
