import type { Reader, Tx } from "../../../db/database.ts";
import type { ChildOrder, SiblingPlaceRow } from "../../../db/schema/tables/documents.ts";
import { batchesOf } from "../../../db/statement/batches.ts";
import { itemKey, type Sibling } from "./place-keys.ts";
import type { Places } from "./sort-siblings.ts";

/** The stored places of the items of these parents. */
export async function listPlaces(db: Reader, workspaceId: string, parents: readonly string[]): Promise<Places> {
  const places = new Map<string, string>();
  for (const some of batchesOf(parents)) {
    const rows = await db
      .selectFrom("sibling_places")
      .select(["item", "place"])
      .where("workspace_id", "=", workspaceId)
      .where("parent", "in", some)
      .execute();
    for (const { item, place } of rows) places.set(item, place);
  }
  return places;
}

/** A folder, or the top level of a knowledge base. */
export interface Parent {
  readonly knowledgeBaseId: number;
  readonly folderId: number | null;
}

/** The items of a parent, translations included, in any order. */
export async function listSiblings(
  db: Reader,
  workspaceId: string,
  { knowledgeBaseId, folderId }: Parent,
): Promise<Sibling[]> {
  const folders = db.selectFrom("folders").select(["id", "name", "created_at"]).where("workspace_id", "=", workspaceId);
  const documents = db.selectFrom("documents").select(["id", "title"]).where("workspace_id", "=", workspaceId);
  const [inFolders, inDocuments] =
    folderId === null
      ? [
          folders.where("knowledge_base_id", "=", knowledgeBaseId).where("parent_id", "is", null),
          documents.where("knowledge_base_id", "=", knowledgeBaseId).where("folder_id", "is", null),
        ]
      : [folders.where("parent_id", "=", folderId), documents.where("folder_id", "=", folderId)];
  return [
    ...(await inFolders.execute()).map((row) => ({ type: "folder" as const, ...row })),
    ...(await inDocuments.execute()).map((row) => ({ type: "document" as const, ...row })),
  ];
}

export const putPlace = (tx: Tx, workspaceId: string, parent: string, item: string, place: string) =>
  tx
    .insertInto("sibling_places")
    .values({ workspace_id: workspaceId, item, parent, place })
    .onConflict((conflict) => conflict.columns(["workspace_id", "item"]).doUpdateSet({ parent, place }))
    .execute();

export const findPlace = (tx: Tx, workspaceId: string, item: string): Promise<SiblingPlaceRow | undefined> =>
  tx
    .selectFrom("sibling_places")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("item", "=", item)
    .executeTakeFirst();

/** Gives a restored item its place again, unless another item has it now. */
export const restorePlace = (tx: Tx, row: SiblingPlaceRow) =>
  tx
    .insertInto("sibling_places")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();

/** Replaces all places of a parent. */
export async function replacePlaces(tx: Tx, workspaceId: string, parent: string, places: Places): Promise<void> {
  await forgetPlacesIn(tx, workspaceId, [parent]);
  const rows = [...places].map(([item, place]) => ({ workspace_id: workspaceId, item, parent, place }));
  for (const some of batchesOf(rows))
    await tx
      .insertInto("sibling_places")
      .values(some)
      .onConflict((conflict) =>
        conflict.columns(["workspace_id", "item"]).doUpdateSet((eb) => ({
          parent: eb.ref("excluded.parent"),
          place: eb.ref("excluded.place"),
        })),
      )
      .execute();
}

export async function forgetPlacesIn(tx: Tx, workspaceId: string, parents: readonly string[]): Promise<void> {
  for (const some of batchesOf(parents))
    await tx.deleteFrom("sibling_places").where("workspace_id", "=", workspaceId).where("parent", "in", some).execute();
}

/** For items that are removed for good. */
export async function forgetPlacesOf(tx: Tx, workspaceId: string, items: readonly string[]): Promise<void> {
  for (const some of batchesOf(items))
    await tx.deleteFrom("sibling_places").where("workspace_id", "=", workspaceId).where("item", "in", some).execute();
}

export const forgetFolderPlaces = (tx: Tx, workspaceId: string, ids: readonly number[]): Promise<void> =>
  forgetPlacesOf(
    tx,
    workspaceId,
    ids.map((id) => itemKey({ type: "folder", id })),
  );

/** The order of a parent's items. The caller has locked the parent. */
export async function readChildOrder(tx: Tx, workspaceId: string, parent: Parent): Promise<ChildOrder> {
  const { knowledgeBaseId, folderId } = parent;
  const row =
    folderId === null
      ? await tx.lock("knowledge_base", workspaceId, knowledgeBaseId, "keep")
      : await tx.lock("folder", workspaceId, folderId, "keep");
  return row?.child_order ?? "name";
}

/** Makes the order of a parent manual. */
export async function setManual(tx: Tx, workspaceId: string, { knowledgeBaseId, folderId }: Parent): Promise<void> {
  const change = { child_order: "manual" as const, updated_at: Date.now() };
  await tx
    .updateTable(folderId === null ? "knowledge_bases" : "folders")
    .set(change)
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", folderId ?? knowledgeBaseId)
    .execute();
}
