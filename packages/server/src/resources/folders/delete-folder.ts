import type { Db } from "../../db/database.ts";
import type { Actor } from "../../events/actor.ts";
import { ledgerOf } from "../../events/ledger.ts";
import type { Services } from "../../services.ts";
import { listDocumentsIn } from "../documents/queries.ts";
import { removeDocuments } from "../documents/remove-documents.ts";
import { lockKnowledgeBase } from "../knowledge-bases/queries.ts";
import { deleteSummariesOf } from "../summaries/queries.ts";
import { putInTrash } from "../trash/put-in-trash.ts";
import { deleteFolders, getFolder } from "./queries.ts";
import { listSubtree } from "./subtree.ts";

/** Takes a folder with all it holds out of the live tables, into the trash. */
export async function deleteFolder(
  app: Services,
  tx: Db,
  { workspaceId, id, actor }: { workspaceId: string; id: number; actor: Actor },
): Promise<void> {
  await lockKnowledgeBase(tx, workspaceId, (await getFolder(tx, workspaceId, id)).knowledge_base_id);
  const folder = await getFolder(tx, workspaceId, id);
  const folders = await listSubtree(tx, folder);
  const ids = folders.map((inner) => inner.id);
  const documents = await listDocumentsIn(tx, workspaceId, ids);
  await putInTrash(app, tx, {
    workspaceId,
    kind: "folder",
    itemId: String(id),
    name: folder.name,
    knowledgeBaseId: folder.knowledge_base_id,
    folders,
    documents,
    actor,
  });
  await removeDocuments(app, tx, workspaceId, documents, actor);
  await deleteFolders(tx, workspaceId, ids);
  await deleteSummariesOf(tx, workspaceId, "folder", ids);
  const ledger = ledgerOf(tx, workspaceId);
  ledger.count("folders", -ids.length);
  ledger.countIn(folder.knowledge_base_id, { documents: -documents.length, folders: -ids.length });
}
