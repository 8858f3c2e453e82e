import * as Y from "yjs";

type DeleteSet = Y.Transaction["deleteSet"];

/** Older ones are forgotten: only changes that were on their way at the time can still put the letters elsewhere. */
const MAX_CHANGES = 500;

const deletionsOf = new WeakMap<Y.Doc, DeleteSet[]>();

/**
 * Remembers what others deleted. When a line goes elsewhere with letters that its mover had not seen deleted, each
 * client deletes there only what it had deleted itself: another client may have moved the letters.
 */
export function rememberDeletions(doc: Y.Doc, deletions: DeleteSet): void {
  if (deletions.clients.size === 0) return;
  const known = deletionsOf.get(doc) ?? [];
  deletionsOf.set(doc, known);
  known.push(deletions);
  if (known.length > MAX_CHANGES) known.shift();
}

/** The same for all that a document has when it is loaded. */
export const rememberLoaded = (doc: Y.Doc): void => rememberDeletions(doc, Y.createDeleteSetFromStructStore(doc.store));

export const isDeletedByOthers = (doc: Y.Doc, id: Y.ID): boolean =>
  deletionsOf.get(doc)?.some((deletions) => Y.isDeleted(deletions, id)) ?? false;
