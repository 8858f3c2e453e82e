import type { Tx } from "../../../db/database.ts";
import type { DocumentRow } from "../../../db/schema/tables/documents.ts";
import type { Actor } from "../../../events/actor.ts";
import { ledgerOf } from "../../../events/ledger.ts";
import type { Services } from "../../../services.ts";
import { deleteSharesOf } from "../../access/shares/queries.ts";
import { removeAttachmentsOf } from "../../content/attachments/follow-documents.ts";
import { deleteDocumentRows } from "../../library/documents/queries.ts";
import { forgetPlacesOf } from "../../library/order/queries.ts";

/**
 * Deletes documents from every live table: API and views no longer show them after the commit. Segments and snapshots,
 * which are unreachable then, are removed in the background.
 */
export async function removeDocuments(
  app: Services,
  tx: Tx,
  workspaceId: string,
  documents: readonly DocumentRow[],
  actor: Actor,
): Promise<void> {
  if (documents.length === 0) return;
  await deleteDocumentRows(
    tx,
    workspaceId,
    documents.map((document) => document.id),
  );
  await forgetPlacesOf(
    tx,
    workspaceId,
    documents.map((document) => document.id),
  );
  await removeAttachmentsOf(app, tx, workspaceId, documents);
  await deleteSharesOf(tx, workspaceId, documents);
  for (const view of app.views) await view.documentsRemoved?.(tx, workspaceId, documents, app);
  const ledger = ledgerOf(tx, workspaceId);
  ledger.count("documents", -documents.length);
  for (const document of documents) ledger.event("document.deleted", document, actor);
}
