import { unpack } from "../../../bodies/packing.ts";
import type { Reader, Tx } from "../../../db/database.ts";
import type { TrashRow } from "../../../db/schema/tables/documents.ts";
import { notFound } from "../../../errors.ts";
import type { Folder } from "../../library/folders/queries.ts";
import { forgetFolderPlaces } from "../../library/order/queries.ts";

export const insertTrash = (tx: Tx, row: TrashRow) => tx.insertInto("trash").values(row).execute();

/** Updates the counts of an entry; undefined if it no longer exists. */
export const growTrash = (
  tx: Tx,
  workspaceId: string,
  id: string,
  added: Pick<TrashRow, "document_count" | "ended_links">,
): Promise<TrashRow | undefined> =>
  tx
    .updateTable("trash")
    .set((eb) => ({
      document_count: eb("document_count", "+", added.document_count),
      ended_links: eb("ended_links", "+", added.ended_links),
    }))
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", id)
    .where("expires_at", ">", 0)
    .returningAll()
    .executeTakeFirst();

/** Position 0 holds the folders; every other position holds a document. */
export const insertTrashItem = (
  tx: Tx,
  item: { workspace_id: string; trash_id: string; position: number; packed: Uint8Array },
) =>
  tx
    .insertInto("trash_items")
    .values(item)
    .onConflict((conflict) =>
      conflict.columns(["workspace_id", "trash_id", "position"]).doUpdateSet({ packed: item.packed }),
    )
    .execute();

export const listTrash = (
  db: Reader,
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

export async function getTrash(db: Reader, workspaceId: string, id: string, now: number): Promise<TrashRow> {
  const row = await db
    .selectFrom("trash")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", id)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  if (!row) throw notFound("trash", id);
  return row;
}

/** Counts the documents in an entry: fewer than originally if a restore was interrupted. */
export async function countTrashDocuments(db: Reader, workspaceId: string, id: string): Promise<number> {
  const row = await db
    .selectFrom("trash_items")
    .select((eb) => eb.fn.countAll<number>().as("documents"))
    .where("workspace_id", "=", workspaceId)
    .where("trash_id", "=", id)
    .where("position", ">", 0)
    .executeTakeFirstOrThrow();
  return Number(row.documents);
}

/** Documents of an entry after a position. */
export const listTrashDocuments = (db: Reader, workspaceId: string, id: string, after: number, limit: number) =>
  db
    .selectFrom("trash_items")
    .select(["position", "packed"])
    .where("workspace_id", "=", workspaceId)
    .where("trash_id", "=", id)
    .where("position", ">", after)
    .orderBy("position")
    .limit(limit)
    .execute();

/** Removes an entry from the trash; only one restore gets it. */
export async function takeTrash(tx: Tx, workspaceId: string, id: string, now: number): Promise<TrashRow> {
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

/** Removes items from an entry, folders first and then documents, up to a limit. */
export async function takeTrashItems(
  tx: Tx,
  workspaceId: string,
  id: string,
  limit: number,
): Promise<{ position: number; packed: Uint8Array }[]> {
  const items = await tx
    .selectFrom("trash_items")
    .select(["position", "packed"])
    .where("workspace_id", "=", workspaceId)
    .where("trash_id", "=", id)
    .orderBy("position")
    .limit(limit)
    .execute();
  const last = items.at(-1);
  if (last)
    await tx
      .deleteFrom("trash_items")
      .where("workspace_id", "=", workspaceId)
      .where("trash_id", "=", id)
      .where("position", "<=", last.position)
      .execute();
  return items;
}

/** Content deleted earlier from a deleted knowledge base can no longer be restored. */
export const expireTrashOf = (tx: Tx, workspaceId: string, knowledgeBaseId: number) =>
  tx
    .updateTable("trash")
    .set({ expires_at: 0 })
    .where("workspace_id", "=", workspaceId)
    .where("knowledge_base_id", "=", knowledgeBaseId)
    .execute();

/** Folders keep their places while they can be restored. */
async function forgetFolders(tx: Tx, { workspace_id, id }: Pick<TrashRow, "workspace_id" | "id">): Promise<void> {
  const [item] = await tx
    .selectFrom("trash_items")
    .select("packed")
    .where("workspace_id", "=", workspace_id)
    .where("trash_id", "=", id)
    .where("position", "=", 0)
    .execute();
  const folders: readonly Folder[] = item ? unpack(item.packed) : [];
  await forgetFolderPlaces(
    tx,
    workspace_id,
    folders.map((folder) => folder.id),
  );
}

/** Removes a few expired items, and the entry with its last item. True if there are more. */
export async function deleteExpiredTrash(tx: Tx, now: number, limit: number): Promise<boolean> {
  const expired = tx.selectFrom("trash").select(["workspace_id", "id"]).where("expires_at", "<=", now).limit(1);
  const entry = await tx.statements.dialect.claimRows(expired).executeTakeFirst();
  if (!entry) return false;
  const some = await tx
    .selectFrom("trash_items")
    .select("position")
    .where("workspace_id", "=", entry.workspace_id)
    .where("trash_id", "=", entry.id)
    .orderBy("position", "desc")
    .limit(limit)
    .execute();
  const [{ position: from } = { position: 0 }] = some.slice(-1);
  if (from === 0) await forgetFolders(tx, entry);
  await tx
    .deleteFrom("trash_items")
    .where("workspace_id", "=", entry.workspace_id)
    .where("trash_id", "=", entry.id)
    .where("position", ">=", from)
    .execute();
  if (some.length < limit)
    await tx.deleteFrom("trash").where("workspace_id", "=", entry.workspace_id).where("id", "=", entry.id).execute();
  return true;
}
