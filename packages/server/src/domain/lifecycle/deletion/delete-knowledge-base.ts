import type { Tx } from "../../../db/database.ts";
import { yieldToEventLoop } from "../../../db/statement/batches.ts";
import { apiError } from "../../../errors.ts";
import type { Actor } from "../../../events/actor.ts";
import { ledgerOf } from "../../../events/ledger.ts";
import type { Rights } from "../../../rights/rights.ts";
import type { Services } from "../../../services.ts";
import { deleteFolderShares } from "../../access/shares/queries.ts";
import { expireTrashedOf } from "../../content/attachments/queries.ts";
import { deleteConceptsOf } from "../../knowledge/concepts/queries.ts";
import { checkTargetsGoToo } from "../../knowledge/localization/check-targets.ts";
import { deleteSummariesOf } from "../../knowledge/summaries/queries.ts";
import { lockSomeDocumentsOf } from "../../library/documents/queries.ts";
import { lockStructure } from "../../library/folders/lock-structure.ts";
import { deleteFoldersOf } from "../../library/folders/queries.ts";
import {
  deleteKnowledgeBaseRow,
  getKnowledgeBase,
  keepKnowledgeBases,
  lockKnowledgeBase,
} from "../../library/knowledge-bases/queries.ts";
import { forgetFolderPlaces } from "../../library/order/queries.ts";
import { expireTrashOf } from "../trash/queries.ts";
import { removeDocuments } from "./remove-documents.ts";

/** Documents per transaction: few enough that other writers hardly wait. */
const STEP = 100;

export interface Deletion {
  readonly workspaceId: string;
  readonly id: number;
  readonly confirmId: string;
  readonly actor: Actor;
  /** Rights of the deleting user; undefined also for the server itself. */
  readonly rights?: Rights | undefined;
}

/**
 * Deletes the documents of a knowledge base in short transactions, so that others can write in between. After a crash,
 * the knowledge base has fewer documents and can be deleted again.
 */
export async function emptyKnowledgeBase(app: Services, deletion: Deletion): Promise<void> {
  // In a transaction, which also sees translations that are hidden from the deleting user.
  await app.database.transaction((tx) => checkDeletion(tx, deletion));
  while ((await app.database.transaction((tx) => removeSome(app, tx, deletion, STEP))) === STEP)
    await yieldToEventLoop();
}

/** Deletes the rest from the live tables; stored bodies and the trash are cleared in the background. */
export async function deleteKnowledgeBase(app: Services, tx: Tx, deletion: Deletion): Promise<void> {
  const { workspaceId, id } = deletion;
  await lockStructure(tx, workspaceId);
  await checkDeletion(tx, deletion);
  await lockKnowledgeBase(tx, workspaceId, id, "delete");
  await removeSome(app, tx, deletion, Number.MAX_SAFE_INTEGER);
  const folders = await deleteFoldersOf(tx, workspaceId, id);
  await forgetFolderPlaces(tx, workspaceId, folders);
  await deleteFolderShares(tx, workspaceId, folders);
  await deleteSummariesOf(tx, workspaceId, "folder", folders);
  await deleteSummariesOf(tx, workspaceId, "knowledge_base", [id]);
  await deleteConceptsOf(tx, workspaceId, id);
  await expireTrashOf(tx, workspaceId, id);
  await expireTrashedOf(tx, workspaceId, id);
  await deleteKnowledgeBaseRow(tx, workspaceId, id);
  const ledger = ledgerOf(tx, workspaceId);
  ledger.forget(id);
  ledger.count("knowledge_bases", -1);
  ledger.count("folders", -folders.length);
}

async function checkDeletion(tx: Tx, { workspaceId, id, confirmId, rights }: Deletion): Promise<void> {
  const { confirm_id } = await getKnowledgeBase(tx, workspaceId, id);
  if (confirm_id !== confirmId)
    throw apiError("confirmation_mismatch", { hint: "Send the knowledge base's own confirm_id." });
  await checkTargetsGoToo(tx, workspaceId, { knowledgeBaseId: id }, rights);
}

async function removeSome(app: Services, tx: Tx, { workspaceId, id, actor }: Deletion, limit: number): Promise<number> {
  await keepKnowledgeBases(tx, workspaceId, [id]);
  const documents = await lockSomeDocumentsOf(tx, workspaceId, id, limit);
  await removeDocuments(app, tx, workspaceId, documents, actor);
  ledgerOf(tx, workspaceId).countIn(id, { documents: -documents.length });
  return documents.length;
}
