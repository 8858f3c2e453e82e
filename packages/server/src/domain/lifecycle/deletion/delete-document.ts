import { lockState } from "../../../bodies/load-body.ts";
import { TransactionOutdated, type Tx } from "../../../db/database.ts";
import type { DocumentRow } from "../../../db/schema/tables/documents.ts";
import { notFound } from "../../../errors.ts";
import type { Actor } from "../../../events/actor.ts";
import { ledgerOf } from "../../../events/ledger.ts";
import type { Rights } from "../../../rights/rights.ts";
import type { Services } from "../../../services.ts";
import { checkTargetsGoToo } from "../../knowledge/localization/check-targets.ts";
import { getDocument, lockDocument } from "../../library/documents/queries.ts";
import { lockOwnFolder } from "../../library/folders/index-page.ts";
import { updateFolder } from "../../library/folders/queries.ts";
import { putInTrash } from "../trash/put-in-trash.ts";
import { removeDocuments } from "./remove-documents.ts";

interface DocumentDeletion {
  readonly workspaceId: string;
  readonly id: string;
  readonly actor: Actor;
  /** Rights of the deleting user. */
  readonly rights: Rights | undefined;
}

export async function deleteDocument(
  app: Services,
  tx: Tx,
  { workspaceId, id, actor, rights }: DocumentDeletion,
): Promise<void> {
  const document = await lockToDelete(tx, workspaceId, id);
  await checkTargetsGoToo(tx, workspaceId, { documentId: id }, rights);
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

/** Locks the knowledge base first, because it counts its documents. */
async function lockToDelete(tx: Tx, workspaceId: string, id: string): Promise<DocumentRow> {
  const found = await getDocument(tx, workspaceId, id);
  const { knowledge_base_id } = found;
  if (!(await tx.lock("knowledge_base", workspaceId, knowledge_base_id, "keep"))) throw notFound("document", id);
  const folder = await lockOwnFolder(tx, found);
  if (folder) await updateFolder(tx, workspaceId, folder.id, { index_document_id: null });
  await lockState(tx, { workspaceId, documentId: id });
  const document = await lockDocument(tx, workspaceId, id, "delete");
  if (document.knowledge_base_id !== knowledge_base_id) throw new TransactionOutdated();
  return document;
}
