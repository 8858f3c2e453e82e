import type { Tx } from "../../db/database.ts";
import type { DocumentRow } from "../../db/schema/tables/documents.ts";
import type { Actor } from "../../events/actor.ts";
import { ledgerOf } from "../../events/ledger.ts";
import type { Services } from "../../services.ts";
import { removeAttachmentsOf } from "../attachments/follow-documents.ts";
import { deleteDocumentRows } from "../documents/queries.ts";
import { deleteSharesOf } from "../shares/queries.ts";

/**
 * Takes documents out of every live table: gone for the API and for views when the transaction commits. Segments and
 * snapshots, which nothing can reach any more, are removed in the background.
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
  await removeAttachmentsOf(app, tx, workspaceId, documents);
  await deleteSharesOf(tx, workspaceId, documents);
  for (const view of app.views) await view.documentsRemoved?.(tx, workspaceId, documents, app);
  const ledger = ledgerOf(tx, workspaceId);
  ledger.count("documents", -documents.length);
  for (const document of documents) ledger.event("document.deleted", document, actor);
}
