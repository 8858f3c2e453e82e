import type { DocumentKey } from "../../bodies/store.ts";
import type { BodyDelta, View } from "../../bodies/view.ts";
import type { Tx } from "../../db/database.ts";
import { deleteChangesUpTo, insertChange, listChangeSizes } from "../../resources/changes/queries.ts";
import { packItems } from "../../resources/changes/stored-items.ts";

/**
 * Writes that mention more blocks than this are large. Together the writes kept mention no more blocks than as many
 * small ones would, or a floor of a few megabytes; large ones push older ones out sooner.
 */
const LARGE_WRITE = 50;
const ITEMS_FLOOR = 50_000;

/** Old writes are removed so many at a time; readers look at no more than are kept. */
const REMOVED_TOGETHER = 8;

/** What each write did to which block, for clients that follow a document by cursor. */
export const changesView: View = {
  name: "changes",
  bodyChanged: async (tx, delta, { config }) => {
    // A new document, or one back from the trash with the changes it had: its manifest is where readers begin.
    if (delta.beforeVersion === null) return;
    await insertChange.enqueue(tx, rowOf(delta, delta.beforeVersion));
    const key = { workspaceId: delta.document.workspace_id, documentId: delta.document.id };
    const oldest = delta.revision - config.changeRetention;
    if (oldest > 0 && oldest % REMOVED_TOGETHER === 0) await deleteChangesUpTo(tx, key, oldest);
    if (delta.changes.length <= LARGE_WRITE) return;
    await keepBounded(tx, key, Math.max(ITEMS_FLOOR, LARGE_WRITE * config.changeRetention));
  },
};

const rowOf = (delta: BodyDelta, beforeVersion: string) => ({
  workspace_id: delta.document.workspace_id,
  document_id: delta.document.id,
  revision: delta.revision,
  before_version: beforeVersion,
  version: delta.version,
  item_count: delta.changes.length,
  items: packItems(delta),
});

/** Keeps the newest writes, the last one whatever its size. */
async function keepBounded(tx: Tx, key: DocumentKey, most: number): Promise<void> {
  let items = 0;
  for (const [age, { revision, item_count }] of (await listChangeSizes(tx, key)).entries()) {
    items += item_count;
    if (age > 0 && items > most) return void (await deleteChangesUpTo(tx, key, revision));
  }
}
