import { TransactionOutdated, type Tx } from "../../../db/database.ts";
import type { DocumentRow } from "../../../db/schema/tables/documents.ts";
import { getDocument, lockDocument } from "../../library/documents/queries.ts";
import { keepKnowledgeBases } from "../../library/knowledge-bases/queries.ts";

/**
 * Locks a document that is about to get language versions, after its folder and knowledge base, as the lock order
 * requires.
 */
export async function lockSource(tx: Tx, workspaceId: string, id: string): Promise<DocumentRow> {
  const { knowledge_base_id, folder_id } = await getDocument(tx, workspaceId, id);
  await keepKnowledgeBases(tx, workspaceId, [knowledge_base_id]);
  if (folder_id !== null) await tx.lock("folder", workspaceId, folder_id, "keep");
  const source = await lockDocument(tx, workspaceId, id);
  if (source.knowledge_base_id !== knowledge_base_id || source.folder_id !== folder_id) throw new TransactionOutdated();
  return source;
}
