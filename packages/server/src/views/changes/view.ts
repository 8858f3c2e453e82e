import type { View } from "../../bodies/view.ts";
import type { Tx } from "../../db/database.ts";
import type { DocumentKey } from "../../db/document-key.ts";
import { deleteChangesUpTo, insertChange, listChangeSizes } from "../../domain/content/changes/queries.ts";
import { packItems, packManyItems } from "../../domain/content/changes/stored-items.ts";
import type { BodyDelta } from "../../services/body-views.ts";

/**
 * Writes that mention more blocks than this are large. All stored writes together mention no more blocks than as many
 * small ones would, or a floor of a few megabytes; large writes push older ones out sooner.
 */
const LARGE_WRITE = 50;
const ITEMS_FLOOR = 50_000;

/** The number of old writes removed at once; readers never look at more than the limit. */
const REMOVED_TOGETHER = 8;

/** Stores what each write did to which block, for clients that follow a document by cursor. */
export const changesView: View = {
  name: "changes",
  bodyChanged: async (tx, delta, { config }) => {
    // For a new document, or one restored with the changes it had, readers begin at the manifest.
    if (delta.beforeVersion === null) return;
    const isLarge = delta.changes.length > LARGE_WRITE;
    const items = isLarge ? await packManyItems(delta) : packItems(delta);
    await insertChange.enqueue(tx, rowOf(delta, delta.beforeVersion, items));
    const key = { workspaceId: delta.document.workspace_id, documentId: delta.document.id };
    const oldest = delta.revision - config.changeRetention;
    if (oldest > 0 && oldest % REMOVED_TOGETHER === 0) await deleteChangesUpTo(tx, key, oldest);
    if (!isLarge) return;
    await keepBounded(tx, key, Math.max(ITEMS_FLOOR, LARGE_WRITE * config.changeRetention));
  },
};

const rowOf = (delta: BodyDelta, beforeVersion: string, items: string) => ({
  workspace_id: delta.document.workspace_id,
  document_id: delta.document.id,
  revision: delta.revision,
  before_version: beforeVersion,
  version: delta.version,
  item_count: delta.changes.length,
  items,
});

/** Keeps the newest writes within the limit, and always the last one. */
async function keepBounded(tx: Tx, key: DocumentKey, most: number): Promise<void> {
  let items = 0;
  for (const [age, { revision, item_count }] of (await listChangeSizes(tx, key)).entries()) {
    items += item_count;
    if (age > 0 && items > most) return void (await deleteChangesUpTo(tx, key, revision));
  }
}
