import type { Tx } from "../../../db/database.ts";
import type { DocumentRow } from "../../../db/schema/tables/documents.ts";
import { batchesOf } from "../../../db/statement/batches.ts";
import type { Actor } from "../../../events/actor.ts";
import { ledgerOf } from "../../../events/ledger.ts";
import type { Services } from "../../../services.ts";

/** Moves the documents of these folders to another knowledge base. */
export async function moveDocumentsTo(
  app: Services,
  tx: Tx,
  workspaceId: string,
  folderIds: readonly number[],
  knowledgeBaseId: number,
  actor: Actor,
): Promise<void> {
  const ids = (await listDocumentsIn(tx, workspaceId, folderIds)).map((row) => row.id);
  const before = new Map((await tx.lockAll("document", workspaceId, ids)).map((row) => [row.id, row]));
  const ledger = ledgerOf(tx, workspaceId);
  for (const after of await moveDocumentsOf(tx, workspaceId, folderIds, knowledgeBaseId)) {
    const old = before.get(after.id) ?? after;
    for (const view of app.views) await view.metadataChanged?.(tx, old, after, app);
    ledger.countIn(old.knowledge_base_id, { documents: -1 });
    ledger.countIn(knowledgeBaseId, { documents: 1 });
    ledger.event("document.metadata.updated", after, actor);
  }
}

async function listDocumentsIn(tx: Tx, workspaceId: string, folderIds: readonly number[]): Promise<DocumentRow[]> {
  const documents: DocumentRow[] = [];
  for (const some of batchesOf(folderIds))
    documents.push(
      ...(await tx
        .selectFrom("documents")
        .selectAll()
        .where("workspace_id", "=", workspaceId)
        .where("folder_id", "in", some)
        .orderBy("id")
        .execute()),
    );
  return documents;
}

async function moveDocumentsOf(
  tx: Tx,
  workspaceId: string,
  folderIds: readonly number[],
  knowledgeBaseId: number,
): Promise<DocumentRow[]> {
  const moved: DocumentRow[] = [];
  for (const some of batchesOf(folderIds))
    moved.push(
      ...(await tx
        .updateTable("documents")
        .set({ knowledge_base_id: knowledgeBaseId, updated_at: Date.now() })
        .where("workspace_id", "=", workspaceId)
        .where("folder_id", "in", some)
        .returningAll()
        .execute()),
    );
  return moved;
}
