import { isUnchanged } from "../../../db/changed-columns.ts";
import { type Reader, TransactionOutdated, type Tx } from "../../../db/database.ts";
import type { DocumentRow } from "../../../db/schema/tables/documents.ts";
import type { Actor } from "../../../events/actor.ts";
import { ledgerOf } from "../../../events/ledger.ts";
import type { Services } from "../../../services.ts";
import { findOwnFolder, followIndexPage, lockOwnFolder } from "../folders/index-page.ts";
import { lockStructure } from "../folders/lock-structure.ts";
import { type Place, resolvePlace } from "../folders/place.ts";
import { arriveLast, placeItem, type WantedPlace } from "../order/place-item.ts";
import { getDocument, lockDocument, updateDocument } from "./queries.ts";
import { titleKey } from "./title-key.ts";

interface DocumentChange {
  readonly title?: string | undefined;
  readonly fileName?: string | null | undefined;
  readonly knowledgeBaseId?: number | undefined;
  readonly folderId?: number | null | undefined;
  readonly headingNumbered?: boolean | undefined;
  readonly backgroundColor?: string | null | undefined;
  readonly collapsedBlockIds?: readonly string[] | undefined;
  readonly isTemplate?: boolean | undefined;
  readonly workflowStatus?: DocumentRow["workflow_status"] | undefined;
  readonly place?: WantedPlace | undefined;
}

interface DocumentUpdate {
  readonly workspaceId: string;
  readonly id: string;
  readonly change: DocumentChange;
  readonly actor: Actor;
  /** The caller's reader, for the siblings that a place names. */
  readonly shown?: Reader;
}

/** Updates metadata. An update without an effect changes nothing, not even `updated_at`. */
export async function changeDocument(
  app: Services,
  tx: Tx,
  { workspaceId, id, change, actor, shown = tx }: DocumentUpdate,
): Promise<DocumentRow> {
  const found = await getDocument(tx, workspaceId, id);
  const isMove = change.knowledgeBaseId !== undefined || change.folderId !== undefined;
  const isIndexConcerned = isMove || change.title !== undefined;
  // Two folders are locked then, in any order.
  if (isMove && (await findOwnFolder(tx, found))) await lockStructure(tx, workspaceId);
  const location = await locationOf(tx, found, change);
  const ownFolder = isIndexConcerned ? await lockOwnFolder(tx, found) : undefined;
  const before = await lockDocument(tx, workspaceId, id);
  if ((location.knowledge_base_id !== undefined || ownFolder) && isElsewhere(before, found))
    throw new TransactionOutdated();
  if (isIndexConcerned && !ownFolder && (await findOwnFolder(tx, before))) throw new TransactionOutdated();
  const wanted = { ...location, ...settingsOf(change) };
  const parent = {
    knowledgeBaseId: location.knowledge_base_id ?? before.knowledge_base_id,
    folderId: location.folder_id === undefined ? before.folder_id : location.folder_id,
  };
  if (isUnchanged<DocumentRow>(before, wanted)) return reorder(tx, before, change, { parent, shown, actor });
  const after = await updateDocument(tx, workspaceId, id, {
    ...wanted,
    updated_at: Date.now(),
    updated_by: actor.userId,
  });
  for (const view of app.views) await view.metadataChanged?.(tx, before, after, app);
  if (ownFolder) await followIndexPage(app, tx, ownFolder, after);
  const item = { type: "document" as const, id };
  if (change.place) await placeItem(tx, { workspaceId, item, parent, place: change.place, shown });
  else if (isElsewhere(before, after)) await arriveLast(tx, workspaceId, item, parent);
  const ledger = ledgerOf(tx, workspaceId);
  if (after.knowledge_base_id !== before.knowledge_base_id) {
    ledger.countIn(before.knowledge_base_id, { documents: -1 });
    ledger.countIn(after.knowledge_base_id, { documents: 1 });
  }
  ledger.event("document.metadata.updated", after, actor);
  return after;
}

/** Changes only the place among the siblings, which leaves the document's row and its time alone. */
async function reorder(
  tx: Tx,
  document: DocumentRow,
  { place }: DocumentChange,
  { parent, shown, actor }: { readonly parent: Place; readonly shown: Reader; readonly actor: Actor },
): Promise<DocumentRow> {
  const { workspace_id: workspaceId, id } = document;
  const item = { type: "document" as const, id };
  if (place && (await placeItem(tx, { workspaceId, item, parent, place, shown })))
    ledgerOf(tx, workspaceId).event("document.metadata.updated", document, actor);
  return document;
}

const isElsewhere = (row: DocumentRow, other: DocumentRow): boolean =>
  row.knowledge_base_id !== other.knowledge_base_id || row.folder_id !== other.folder_id;

async function locationOf(tx: Tx, row: DocumentRow, change: DocumentChange): Promise<Partial<DocumentRow>> {
  const isStaying = change.knowledgeBaseId === undefined && change.folderId === undefined;
  if (isStaying && !change.place) return {};
  const current = { knowledgeBaseId: row.knowledge_base_id, folderId: row.folder_id };
  const folderId = isStaying ? row.folder_id : change.folderId;
  const wanted = { knowledgeBaseId: change.knowledgeBaseId, folderId, isOrdered: change.place !== undefined };
  const location = await resolvePlace(tx, row.workspace_id, wanted, current);
  return { knowledge_base_id: location.knowledgeBaseId, folder_id: location.folderId };
}

function settingsOf(change: DocumentChange): Partial<DocumentRow> {
  const title = change.title?.trim();
  return {
    ...(title !== undefined && { title, title_key: titleKey(title), file_name: null }),
    ...(change.fileName !== undefined && { file_name: change.fileName === title ? null : change.fileName }),
    ...(change.headingNumbered !== undefined && { heading_numbered: change.headingNumbered ? 1 : 0 }),
    ...(change.backgroundColor !== undefined && { background_color: change.backgroundColor }),
    ...(change.isTemplate !== undefined && { is_template: change.isTemplate ? 1 : 0 }),
    ...(change.workflowStatus !== undefined && { workflow_status: change.workflowStatus }),
    ...(change.collapsedBlockIds !== undefined && { collapsed_block_ids: JSON.stringify(change.collapsedBlockIds) }),
  };
}
