import type { DocumentKey } from "../../bodies/store.ts";
import type { Tx } from "../../db/database.ts";
import { ownedTableNames } from "./owned-tables.ts";

/** Removes the stored parts of a few deleted documents. True when there may be more. */
export async function purgeSome(tx: Tx, limit: number): Promise<boolean> {
  const gone = await tx.selectFrom("purges").selectAll().limit(limit).execute();
  for (const { workspace_id, document_id } of gone)
    await purgeDocument(tx, { workspaceId: workspace_id, documentId: document_id });
  return gone.length === limit;
}

/** Removes what is still stored of a deleted document, if anything is. */
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
