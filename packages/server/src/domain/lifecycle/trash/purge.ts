import type { Tx } from "../../../db/database.ts";
import type { DocumentKey } from "../../../db/document-key.ts";
import { ownedTableNames } from "./owned-tables.ts";

/** Removes the stored parts of a few deleted documents that no other process is removing. True if there may be more. */
export async function purgeSome(tx: Tx, limit: number): Promise<boolean> {
  const gone = await tx.statements.dialect.claimRows(tx.selectFrom("purges").selectAll().limit(limit)).execute();
  for (const { workspace_id, document_id } of gone)
    await purgeDocument(tx, { workspaceId: workspace_id, documentId: document_id });
  return gone.length === limit;
}

/** Removes any stored parts of a deleted document. */
export async function purgeDocument(tx: Tx, { workspaceId, documentId }: DocumentKey): Promise<void> {
  const taken = await tx
    .deleteFrom("purges")
    .where("workspace_id", "=", workspaceId)
    .where("document_id", "=", documentId)
    .returning("document_id")
    .executeTakeFirst();
  if (!taken) return;
  for (const table of ownedTableNames)
    await tx.deleteFrom(table).where("workspace_id", "=", workspaceId).where("document_id", "=", documentId).execute();
}
