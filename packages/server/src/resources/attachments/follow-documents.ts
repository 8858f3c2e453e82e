import type { Tx } from "../../db/database.ts";
import type { DocumentRow } from "../../db/schema/tables/documents.ts";
import { ledgerOf } from "../../events/ledger.ts";
import type { Services } from "../../services.ts";
import { DAY_MS } from "../../time.ts";
import { expireAttachmentsOf, reviveAttachmentsOf } from "./queries.ts";

/** When the file of something that is deleted now may go: when nothing can bring it back. */
export function expiryOf({ trashRetentionDays }: Services["config"]): number {
  const keptMs = trashRetentionDays * DAY_MS;
  return keptMs === 0 ? 0 : Math.ceil(Date.now() + keptMs);
}

/** Attachments go with their documents. Their files stay for as long as the trash can give the documents back. */
export async function removeAttachmentsOf(
  { config }: Services,
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

/** Attachments come back with their document. */
export async function restoreAttachmentsOf({ config }: Services, tx: Tx, document: DocumentRow): Promise<void> {
  const bytes = await reviveAttachmentsOf(tx, document.workspace_id, document.id);
  if (bytes > 0) ledgerOf(tx, document.workspace_id).count("attachment_bytes", bytes, config.maxStorageBytes);
}
