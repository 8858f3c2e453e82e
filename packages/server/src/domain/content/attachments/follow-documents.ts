import type { Tx } from "../../../db/database.ts";
import type { DocumentRow } from "../../../db/schema/tables/documents.ts";
import { ledgerOf } from "../../../events/ledger.ts";
import type { Services } from "../../../services.ts";
import { DAY_MS } from "../../../time.ts";
import { expireAttachmentsOf, reviveAttachmentsOf } from "./queries.ts";

/** The time when the file of something deleted now may be removed, because nothing can restore it any more. */
export function expiryOf({ trashRetentionDays }: Services["config"]): number {
  const keptMs = trashRetentionDays * DAY_MS;
  return keptMs === 0 ? 0 : Math.ceil(Date.now() + keptMs);
}

/**
 * Deletes attachments with their documents. The files stay for as long as the documents can be restored from the trash.
 */
export async function removeAttachmentsOf(
  { config }: Pick<Services, "config">,
  tx: Tx,
  workspaceId: string,
  documents: readonly DocumentRow[],
): Promise<void> {
  const expiresAt = expiryOf(config);
  const byPlace = Map.groupBy(documents, (document) => document.knowledge_base_id);
  let bytes = 0;
  for (const [knowledgeBaseId, some] of byPlace) {
    const ids = some.map((document) => document.id);
    bytes += await expireAttachmentsOf(tx, workspaceId, ids, knowledgeBaseId, expiresAt);
  }
  if (bytes > 0) ledgerOf(tx, workspaceId).count("attachment_bytes", -bytes);
}

/** Restores attachments with their document. */
export async function restoreAttachmentsOf(
  { config }: Pick<Services, "config">,
  tx: Tx,
  document: DocumentRow,
): Promise<void> {
  const bytes = await reviveAttachmentsOf(tx, document.workspace_id, document.id);
  if (bytes > 0) ledgerOf(tx, document.workspace_id).count("attachment_bytes", bytes, config.maxStorageBytes);
}
