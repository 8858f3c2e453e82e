import { StoredBody } from "../../../bodies/body.ts";
import { changeBody } from "../../../bodies/change-body.ts";
import { loadSegments, lockBody } from "../../../bodies/load-body.ts";
import { manifestOf } from "../../../bodies/manifest.ts";
import type { Tx } from "../../../db/database.ts";
import { apiError } from "../../../errors.ts";
import type { Actor } from "../../../events/actor.ts";
import { ledgerOf } from "../../../events/ledger.ts";
import type { Services } from "../../../services.ts";
import { getDocument } from "../../library/documents/queries.ts";
import { expiryOf } from "./follow-documents.ts";
import { expireAttachment, getAttachment } from "./queries.ts";
import { referencesOf } from "./references.ts";
import { removeReferences } from "./remove-references.ts";

const MAX_LISTED = 100;

/** Deletes an attachment. If the body shows it, deletion must be forced, which removes those nodes from the body. */
export async function deleteAttachment(
  app: Services,
  tx: Tx,
  { workspaceId, id, force, actor }: { workspaceId: string; id: string; force: boolean; actor: Actor },
): Promise<void> {
  const { document_id: documentId } = await getAttachment(tx, workspaceId, id);
  const key = { workspaceId, documentId };
  // The lock keeps writers from showing it again between this check and the deletion.
  const row = await lockBody(tx, key);
  const body = new StoredBody(row, await loadSegments(tx, key, manifestOf(row)));
  const references = referencesOf(body.blocks).filter((reference) => reference.attachmentId === id);
  if (references.length > 0 && !force)
    throw apiError("attachment_referenced", {
      references: references
        .slice(0, MAX_LISTED)
        .map(({ blockId, type }) => ({ document_id: documentId, block_id: blockId, node_type: type })),
      reference_count: references.length,
      hint: "Remove these nodes from the body first, or send force=true to have them removed.",
    });
  const changed =
    references.length > 0 &&
    (await changeBody(app, tx, {
      key,
      reason: "attachment",
      actor,
      expected: "*",
      edit: (current) => removeReferences(current.blocks, id),
    }));
  const { knowledge_base_id } = await getDocument(tx, workspaceId, documentId);
  const { size } = await expireAttachment(tx, workspaceId, id, {
    expires_at: expiryOf(app.config),
    removed_from: knowledge_base_id,
    deleted_by: actor.userId,
    deleted_version: changed ? changed.version : null,
  });
  ledgerOf(tx, workspaceId).count("attachment_bytes", -size);
}
