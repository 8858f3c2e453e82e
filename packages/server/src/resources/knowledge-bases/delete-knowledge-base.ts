import type { Db } from "../../db/database.ts";
import { apiError } from "../../errors.ts";
import type { Actor } from "../../events/actor.ts";
import { ledgerOf } from "../../events/ledger.ts";
import type { Services } from "../../services.ts";
import { deleteConceptsOf } from "../concepts/queries.ts";
import { listDocumentsOf } from "../documents/queries.ts";
import { removeDocuments } from "../documents/remove-documents.ts";
import { deleteFoldersOf } from "../folders/queries.ts";
import { deleteSummariesOf } from "../summaries/queries.ts";
import { deleteTrashOf } from "../trash/queries.ts";
import { deleteKnowledgeBaseRow, lockKnowledgeBase } from "./queries.ts";

/** Takes the knowledge base and all its rows out of the live tables; the bodies are removed in the background. */
export async function deleteKnowledgeBase(
  app: Services,
  tx: Db,
  { workspaceId, id, confirmId, actor }: { workspaceId: string; id: number; confirmId: string; actor: Actor },
): Promise<void> {
  const row = await lockKnowledgeBase(tx, workspaceId, id);
  if (row.confirm_id !== confirmId)
    throw apiError("confirmation_mismatch", { hint: "Send the knowledge base's own confirm_id." });
  await removeDocuments(app, tx, workspaceId, await listDocumentsOf(tx, workspaceId, id), actor);
  const folders = await deleteFoldersOf(tx, workspaceId, id);
  await deleteSummariesOf(tx, workspaceId, "folder", folders);
  await deleteSummariesOf(tx, workspaceId, "knowledge_base", [id]);
  await deleteConceptsOf(tx, workspaceId, id);
  await deleteTrashOf(tx, workspaceId, id);
  await deleteKnowledgeBaseRow(tx, workspaceId, id);
  const ledger = ledgerOf(tx, workspaceId);
  ledger.count("knowledge_bases", -1);
  ledger.count("folders", -folders.length);
}
