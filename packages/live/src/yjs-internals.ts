/** The only file that uses fields which Yjs does not document: a test breaks here first if a release changes them. */
import type * as Y from "yjs";

/** The item that holds a type in its parent; null for a type at the top of a document. */
export const itemOf = (type: Pick<Y.AbstractType<unknown>, "_item">): Y.Item | null => type._item;

/** All items of a line in their order, removed ones too. */
export function* itemsIn({ _start }: Pick<Y.XmlText, "_start">): Generator<Y.Item> {
  for (let item = _start; item; item = item.right) yield item;
}

/** Drops cached text positions. Yjs does so only at the end of a transaction. */
export function clearPositions({ _searchMarker: markers }: Pick<Y.AbstractType<unknown>, "_searchMarker">): void {
  if (markers) markers.length = 0;
}

/** Marks a transaction as made here: otherwise Yjs concludes that another tab uses the same client id. */
export function markAsOwn(transaction: Y.Transaction): void {
  transaction.local = true;
}
