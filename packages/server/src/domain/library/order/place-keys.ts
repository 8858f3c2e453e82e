import { keysBetween } from "@svc/live/order-key";
import { timeText, ulid } from "../../../ulid.ts";

/** An item of a folder or of the top level of a knowledge base, as it is ordered. */
export type Sibling =
  | { readonly type: "document"; readonly id: string; readonly title: string }
  | { readonly type: "folder"; readonly id: number; readonly name: string; readonly created_at: number };

/** An item as a request names it: its id may not be one of its type. */
export type NamedItem = { readonly type: Sibling["type"]; readonly id: string | number };

/** Names an item in the stored order. */
export const itemKey = ({ type, id }: NamedItem): string => (type === "folder" ? `folder:${id}` : String(id));

/** Names the parent of an item in the stored order. */
export const parentKey = (knowledgeBaseId: number, folderId: number | null): string =>
  folderId === null ? `kb:${knowledgeBaseId}` : `folder:${folderId}`;

/** Keys of moved items sort before this letter, those of items that nobody has moved after it. */
const END_OF_MOVED = "y";
const NOT_MOVED = "z";
/** A key must not end with zero. */
const LAST_DIGIT = "V";

/** The key of an item that nobody has moved: it follows from the item's age, so that a new one comes last. */
export const ownKey = (item: Sibling): string =>
  item.type === "document"
    ? NOT_MOVED + item.id.slice("doc_".length) + LAST_DIGIT
    : NOT_MOVED + timeText(item.created_at) + String(item.id).padStart(16, "0") + LAST_DIGIT;

/** Keys in ascending order for items whose order is stored for the first time. */
export const firstKeys = (count: number): string[] => keysBetween(undefined, END_OF_MOVED, count);

/** A key between two others; `right` undefined is the end, to which new items are still added. */
export function keyBetween(left: string | undefined, right: string | undefined): string {
  if (right !== undefined) return keysBetween(left, right, 1)[0] ?? "";
  const last = NOT_MOVED + ulid() + LAST_DIGIT;
  return left === undefined || left < last ? last : left + LAST_DIGIT;
}

/** All items of the parent get new keys once one is longer. */
export const MAX_PLACE_LENGTH = 200;
