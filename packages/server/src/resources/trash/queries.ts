import type { Db } from "../../db/database.ts";
import type { TrashRow } from "../../db/tables.ts";
import { notFound } from "../../errors.ts";

export const insertTrash = (tx: Db, row: TrashRow) => tx.insertInto("trash").values(row).execute();

export const insertTrashItem = (
  tx: Db,
  item: { workspace_id: string; trash_id: string; position: number; packed: Uint8Array },
) => tx.insertInto("trash_items").values(item).execute();

export const listTrash = (
  db: Db,
  workspaceId: string,
  now: number,
  after: string,
  limit: number,
): Promise<TrashRow[]> =>
  db
    .selectFrom("trash")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("expires_at", ">", now)
    .$if(after !== "", (query) => query.where("id", "<", after))
    .orderBy("id", "desc")
    .limit(limit)
    .execute();

/** Takes an entry out of the trash; only one restore gets it. */
export async function takeTrash(tx: Db, workspaceId: string, id: string, now: number): Promise<TrashRow> {
  const row = await tx
    .deleteFrom("trash")
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", id)
    .where("expires_at", ">", now)
    .returningAll()
    .executeTakeFirst();
  if (!row) throw notFound("trash", id);
  return row;
}

export async function takeTrashItems(tx: Db, workspaceId: string, id: string): Promise<Uint8Array[]> {
  const rows = await tx
    .deleteFrom("trash_items")
    .where("workspace_id", "=", workspaceId)
    .where("trash_id", "=", id)
    .returning(["position", "packed"])
    .execute();
  return rows.sort((a, b) => a.position - b.position).map((row) => row.packed);
}

/** What was deleted from a knowledge base that is now deleted itself cannot come back. */
export async function deleteTrashOf(tx: Db, workspaceId: string, knowledgeBaseId: number): Promise<void> {
  const gone = await tx
    .deleteFrom("trash")
    .where("workspace_id", "=", workspaceId)
    .where("knowledge_base_id", "=", knowledgeBaseId)
    .returning("id")
    .execute();
  if (gone.length === 0) return;
  await tx
    .deleteFrom("trash_items")
    .where("workspace_id", "=", workspaceId)
    .where(
      "trash_id",
      "in",
      gone.map((row) => row.id),
    )
    .execute();
}

/** Removes a few entries that have outlived the retention. */
export async function deleteExpiredTrash(tx: Db, now: number, limit: number): Promise<number> {
  const expired = await tx
    .selectFrom("trash")
    .select(["workspace_id", "id"])
    .where("expires_at", "<=", now)
    .limit(limit)
    .execute();
  for (const { workspace_id, id } of expired) {
    await tx.deleteFrom("trash_items").where("workspace_id", "=", workspace_id).where("trash_id", "=", id).execute();
    await tx.deleteFrom("trash").where("workspace_id", "=", workspace_id).where("id", "=", id).execute();
  }
  return expired.length;
}
