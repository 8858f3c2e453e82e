import type { Tx } from "../../db/database.ts";
import type { Actor } from "../../events/actor.ts";
import { ledgerOf } from "../../events/ledger.ts";
import type { Services } from "../../services.ts";
import { listDocumentsIn, moveDocumentsOf } from "./queries.ts";

/** Brings the documents of these folders to another knowledge base. */
export async function moveDocumentsTo(
  app: Services,
  tx: Tx,
  workspaceId: string,
  folderIds: readonly number[],
  knowledgeBaseId: number,
  actor: Actor,
): Promise<void> {
  const before = new Map((await listDocumentsIn(tx, workspaceId, folderIds)).map((row) => [row.id, row]));
  const ledger = ledgerOf(tx, workspaceId);
  for (const after of await moveDocumentsOf(tx, workspaceId, folderIds, knowledgeBaseId)) {
    const old = before.get(after.id) ?? after;
    for (const view of app.views) await view.metadataChanged?.(tx, old, after, app);
    ledger.countIn(old.knowledge_base_id, { documents: -1 });
    ledger.countIn(knowledgeBaseId, { documents: 1 });
    ledger.event("document.metadata.updated", after, actor);
  }
}
