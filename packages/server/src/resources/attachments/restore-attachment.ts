import { StoredBody } from "../../bodies/body.ts";
import { changeBody } from "../../bodies/change-body.ts";
import { findNewestSnapshot, getSnapshot } from "../../bodies/snapshots.ts";
import { type DocumentKey, loadSegments, lockBody } from "../../bodies/store.ts";
import type { Tx } from "../../db/database.ts";
import type { AttachmentRow } from "../../db/schema/tables/documents.ts";
import type { Actor } from "../../events/actor.ts";
import { ledgerOf } from "../../events/ledger.ts";
import type { Services } from "../../services.ts";
import { lockDocument } from "../documents/queries.ts";
import { getDeletedAttachment, reviveAttachment } from "./queries.ts";
import { referencesOf } from "./references.ts";

/**
 * Takes the deletion of an attachment back. What the deletion took out of the body by force comes back too, if the body
 * is still the one that the deletion left.
 */
export async function restoreAttachment(
  app: Services,
  tx: Tx,
  { workspaceId, id, actor }: { workspaceId: string; id: string; actor: Actor },
): Promise<AttachmentRow> {
  const deleted = await getDeletedAttachment(tx, workspaceId, id, Date.now());
  const key = { workspaceId, documentId: deleted.document_id };
  const { version } = await lockBody(tx, key);
  await lockDocument(tx, workspaceId, deleted.document_id);
  const row = await reviveAttachment(tx, workspaceId, id, Date.now());
  ledgerOf(tx, workspaceId).count("attachment_bytes", row.size, app.config.maxStorageBytes);
  const before = version === deleted.deleted_version ? await bodyBefore(app, tx, key, id) : undefined;
  if (before)
    await changeBody(app, tx, { key, reason: "attachment", actor, expected: undefined, edit: () => before.blocks });
  return row;
}

/** The newest kept state of the body, if it is the one that a deletion took this attachment out of. */
async function bodyBefore({ config }: Services, tx: Tx, key: DocumentKey, id: string): Promise<StoredBody | undefined> {
  const newest = await findNewestSnapshot(tx, key);
  if (newest?.reason !== "attachment") return undefined;
  const { version, documentType, manifest } = await getSnapshot(tx, key, newest.seq, config.versionRetention);
  const state = { version, revision: newest.seq, live_revisions: 0, document_type: documentType };
  const body = new StoredBody(state, await loadSegments(tx, key, manifest));
  return referencesOf(body.blocks).some(({ attachmentId }) => attachmentId === id) ? body : undefined;
}
