import { StoredBody } from "../../../bodies/body.ts";
import { changeBody } from "../../../bodies/change-body.ts";
import { loadSegments, lockBody } from "../../../bodies/load-body.ts";
import { findNewestSnapshot, getSnapshot } from "../../../bodies/snapshots.ts";
import type { Tx } from "../../../db/database.ts";
import type { DocumentKey } from "../../../db/document-key.ts";
import type { AttachmentRow } from "../../../db/schema/tables/documents.ts";
import type { Actor } from "../../../events/actor.ts";
import { ledgerOf } from "../../../events/ledger.ts";
import type { Services } from "../../../services.ts";
import { lockDocument } from "../../library/documents/queries.ts";
import { getDeletedAttachment, reviveAttachment } from "./queries.ts";
import { referencesOf } from "./references.ts";

/**
 * Undoes the deletion of an attachment. Also restores the nodes that a forced deletion removed, if the body has not
 * changed since.
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
  if (before) await changeBody(app, tx, { key, reason: "attachment", actor, expected: "*", edit: () => before.blocks });
  return row;
}

/** The newest snapshot of the body, if the deletion of this attachment created it. */
async function bodyBefore(
  { config }: Pick<Services, "config">,
  tx: Tx,
  key: DocumentKey,
  id: string,
): Promise<StoredBody | undefined> {
  const newest = await findNewestSnapshot(tx, key);
  if (newest?.reason !== "attachment") return undefined;
  const { version, documentType, manifest } = await getSnapshot(tx, key, newest.seq, config.versionRetention);
  const state = { version, revision: newest.seq, live_revisions: 0, document_type: documentType };
  const body = new StoredBody(state, await loadSegments(tx, key, manifest));
  return referencesOf(body.blocks).some(({ attachmentId }) => attachmentId === id) ? body : undefined;
}
