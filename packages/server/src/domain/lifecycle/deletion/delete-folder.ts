import { TransactionOutdated, type Tx } from "../../../db/database.ts";
import type { DocumentRow } from "../../../db/schema/tables/documents.ts";
import { yieldToEventLoop } from "../../../db/statement/batches.ts";
import type { Actor } from "../../../events/actor.ts";
import { ledgerOf } from "../../../events/ledger.ts";
import type { Rights } from "../../../rights/rights.ts";
import type { Services } from "../../../services.ts";
import { deleteFolderShares } from "../../access/shares/queries.ts";
import { checkTargetsGoToo } from "../../knowledge/localization/check-targets.ts";
import { deleteSummariesOf } from "../../knowledge/summaries/queries.ts";
import { lockSomeDocumentsIn } from "../../library/documents/queries.ts";
import { lockStructure } from "../../library/folders/lock-structure.ts";
import { deleteFolders, type Folder, getFolder } from "../../library/folders/queries.ts";
import { listSubtree } from "../../library/folders/subtree.ts";
import { keepKnowledgeBases } from "../../library/knowledge-bases/queries.ts";
import { forgetFolderPlaces } from "../../library/order/queries.ts";
import { putInTrash } from "../trash/put-in-trash.ts";
import { removeDocuments } from "./remove-documents.ts";

/** Documents per transaction: few enough that other writers hardly wait. */
const STEP = 50;

interface FolderDeletion {
  readonly workspaceId: string;
  readonly id: number;
  readonly actor: Actor;
  /** Rights of the deleting user. */
  readonly rights: Rights | undefined;
  /** The trash entry, once it exists. */
  readonly trashId?: string | undefined;
}

/**
 * Moves the documents of a large folder to the trash in short transactions, so that others can write in between, until
 * few are left. After a crash, the folder has fewer documents; the others are in the trash.
 */
export async function emptyFolder(app: Services, deletion: FolderDeletion): Promise<FolderDeletion> {
  for (let now = deletion; ; await yieldToEventLoop()) {
    const step = await app.database.transaction(async (tx) => {
      const tree = await lockTree(tx, now);
      if (now === deletion) await checkTargetsGoToo(tx, now.workspaceId, { folderIds: tree.ids }, now.rights);
      const documents = await lockSomeDocumentsIn(tx, now.workspaceId, tree.ids, STEP);
      return documents.length < STEP ? undefined : discard(app, tx, now, tree, documents);
    });
    if (!step) return now;
    now = { ...now, trashId: step.trashId };
  }
}

/** Moves the rest of a folder and its contents to the trash. */
export async function deleteFolder(app: Services, tx: Tx, deletion: FolderDeletion): Promise<void> {
  const { workspaceId } = deletion;
  const tree = await lockTree(tx, deletion);
  await checkTargetsGoToo(tx, workspaceId, { folderIds: tree.ids }, deletion.rights);
  await discard(app, tx, deletion, tree, await lockSomeDocumentsIn(tx, workspaceId, tree.ids));
  await deleteFolders(tx, workspaceId, tree.ids);
  // Otherwise they keep their places while they can be restored.
  if (app.config.trashRetentionDays === 0) await forgetFolderPlaces(tx, workspaceId, tree.ids);
  await deleteFolderShares(tx, workspaceId, tree.ids);
  await deleteSummariesOf(tx, workspaceId, "folder", tree.ids);
  const ledger = ledgerOf(tx, workspaceId);
  ledger.count("folders", -tree.ids.length);
  ledger.countIn(tree.folder.knowledge_base_id, { folders: -tree.ids.length });
}

interface LockedTree {
  readonly folder: Folder;
  /** The folder and its descendants, parents before children. */
  readonly folders: readonly Folder[];
  readonly ids: readonly number[];
}

async function lockTree(tx: Tx, { workspaceId, id }: FolderDeletion): Promise<LockedTree> {
  await lockStructure(tx, workspaceId);
  const folder = await getFolder(tx, workspaceId, id);
  await keepKnowledgeBases(tx, workspaceId, [folder.knowledge_base_id]);
  const locked = new Set<number>();
  // A subfolder that was created meanwhile becomes visible only now that its parent is locked.
  for (;;) {
    const folders = await listSubtree(tx, folder);
    const ids = folders.map((inner) => inner.id);
    const added = ids.filter((inner) => !locked.has(inner));
    if (added.length === 0) return { folder, folders, ids };
    if (Math.min(...added) < Math.max(...locked)) throw new TransactionOutdated();
    await tx.lockAll("folder", workspaceId, added, "delete");
    for (const inner of added) locked.add(inner);
  }
}

/** Moves some documents of the folder to the trash. */
async function discard(
  app: Services,
  tx: Tx,
  { workspaceId, id, actor, trashId }: FolderDeletion,
  { folder, folders }: LockedTree,
  documents: readonly DocumentRow[],
): Promise<{ trashId: string | undefined }> {
  const discarded = {
    workspaceId,
    kind: "folder" as const,
    itemId: String(id),
    name: folder.name,
    knowledgeBaseId: folder.knowledge_base_id,
    folders,
    documents,
    actor,
  };
  const entry = await putInTrash(app, tx, discarded, trashId);
  await removeDocuments(app, tx, workspaceId, documents, actor);
  ledgerOf(tx, workspaceId).countIn(folder.knowledge_base_id, { documents: -documents.length });
  return { trashId: entry };
}
