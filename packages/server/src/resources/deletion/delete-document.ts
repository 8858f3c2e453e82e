import { lockBody } from "../../bodies/store.ts";
import type { Tx } from "../../db/database.ts";
import type { Actor } from "../../events/actor.ts";
import { ledgerOf } from "../../events/ledger.ts";
import type { Services } from "../../services.ts";
import { lockDocument } from "../documents/queries.ts";
import { checkTargetsGoToo } from "../localization/check-targets.ts";
import { putInTrash } from "../trash/put-in-trash.ts";
import { removeDocuments } from "./remove-documents.ts";

export async function deleteDocument(
  app: Services,
  tx: Tx,
  { workspaceId, id, actor }: { workspaceId: string; id: string; actor: Actor },
): Promise<void> {
  await lockBody(tx, { workspaceId, documentId: id });
  const document = await lockDocument(tx, workspaceId, id);
  await checkTargetsGoToo(tx, workspaceId, { documentId: id });
  await putInTrash(app, tx, {
    workspaceId,
    kind: "document",
    itemId: id,
    name: document.title,
    knowledgeBaseId: document.knowledge_base_id,
    folders: [],
    documents: [document],
    actor,
  });
  await removeDocuments(app, tx, workspaceId, [document], actor);
  ledgerOf(tx, workspaceId).countIn(document.knowledge_base_id, { documents: -1 });
}
