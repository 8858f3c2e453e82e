import type { Selectable } from "kysely";
import type { Reader, SelectBuilder, Tx } from "../../../db/database.ts";
import type { KnowledgeBaseRow } from "../../../db/schema/tables/documents.ts";
import { batchesOf } from "../../../db/statement/batches.ts";
import { statement } from "../../../db/statement/statement.ts";
import type { LockMode } from "../../../db/transaction/lock-order.ts";
import { notFound } from "../../../errors.ts";
import { deleteNotificationsOfBase, deleteWatchesOf } from "../../../notify/queries.ts";

export type KnowledgeBase = Selectable<KnowledgeBaseRow>;

const inWorkspace = (db: SelectBuilder, workspaceId: string) =>
  db.selectFrom("knowledge_bases").selectAll().where("workspace_id", "=", workspaceId);

export const listKnowledgeBases = (
  db: Reader,
  workspaceId: string,
  after: number,
  limit: number,
): Promise<KnowledgeBase[]> =>
  inWorkspace(db, workspaceId).where("id", ">", after).orderBy("id").limit(limit).execute();

const selectKnowledgeBase = statement<{ workspaceId: string; id: number }, KnowledgeBase>((db, value) =>
  inWorkspace(db, value("workspaceId")).where("id", "=", value("id")),
);

export async function getKnowledgeBase(db: Reader, workspaceId: string, id: number): Promise<KnowledgeBase> {
  const [row] = await selectKnowledgeBase(db, { workspaceId, id });
  if (!row) throw notFound("knowledge_base", id);
  return row;
}

/** Locks the knowledge base until the end of the transaction. */
export async function lockKnowledgeBase(
  tx: Tx,
  workspaceId: string,
  id: number,
  mode: LockMode = "change",
): Promise<KnowledgeBase> {
  const row = await tx.lock("knowledge_base", workspaceId, id, mode);
  if (!row) throw notFound("knowledge_base", id);
  return row;
}

/**
 * Locks knowledge bases against deletion until the end of the transaction, for content that is added or counted there.
 */
export async function keepKnowledgeBases(
  tx: Tx,
  workspaceId: string,
  ids: readonly number[],
  mode: LockMode = "keep",
): Promise<void> {
  const kept = await tx.lockAll("knowledge_base", workspaceId, ids, mode);
  const missing = ids.find((id) => !kept.some((row) => row.id === id));
  if (missing !== undefined) throw notFound("knowledge_base", missing);
}

export async function insertKnowledgeBase(
  tx: Tx,
  row: { workspace_id: string; confirm_id: string; name: string; created_at: number; updated_at: number },
): Promise<KnowledgeBase> {
  await noteNewBase(tx, row.workspace_id);
  return tx
    .insertInto("knowledge_bases")
    .values({ ...row, document_count: 0, folder_count: 0 })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** People who see few knowledge bases have a list of them (rights/load-rights.ts). */
const noteNewBase = (tx: Tx, workspaceId: string) =>
  tx
    .updateTable("workspaces")
    .set((eb) => ({ rights_version: eb("rights_version", "+", 1) }))
    .where("id", "=", workspaceId)
    .where("rights_version", ">", 0)
    .execute();

export async function updateKnowledgeBase(
  tx: Tx,
  workspaceId: string,
  id: number,
  changes: Partial<Pick<KnowledgeBase, "name" | "members_may_comment" | "child_order">>,
): Promise<KnowledgeBase> {
  const row = await tx
    .updateTable("knowledge_bases")
    .set({ ...changes, updated_at: Date.now() })
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
  if (!row) throw notFound("knowledge_base", id);
  return row;
}

export async function deleteKnowledgeBaseRow(tx: Tx, workspaceId: string, id: number): Promise<void> {
  await deleteWatchesOf(tx, workspaceId, "knowledge_base", [id]);
  await deleteNotificationsOfBase(tx, workspaceId, id);
  await endRolesIn(tx, workspaceId, id);
  await tx.deleteFrom("knowledge_bases").where("workspace_id", "=", workspaceId).where("id", "=", id).execute();
}

/** Turns its roles into former roles, because events about its documents are still sent for a while. */
async function endRolesIn(tx: Tx, workspaceId: string, id: number): Promise<void> {
  const { default_role } = await getKnowledgeBase(tx, workspaceId, id);
  const roles = await tx
    .selectFrom("base_roles")
    .select(["subject_id", "role"])
    .where("workspace_id", "=", workspaceId)
    .where("knowledge_base_id", "=", id)
    .execute();
  const all = [...roles, ...(default_role === null ? [] : [{ subject_id: "", role: default_role }])];
  const former = all.map(({ subject_id, role }) => ({
    subject_id,
    // Former roles only allow reading what is left.
    role: role === "none" ? ("none" as const) : ("viewer" as const),
    workspace_id: workspaceId,
    knowledge_base_id: id,
    ended_at: Date.now(),
  }));
  for (const some of batchesOf(former)) await tx.insertInto("former_roles").values(some).execute();
  await tx
    .deleteFrom("base_roles")
    .where("workspace_id", "=", workspaceId)
    .where("knowledge_base_id", "=", id)
    .execute();
}
