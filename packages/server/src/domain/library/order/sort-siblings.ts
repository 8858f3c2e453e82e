import type { ChildOrder } from "../../../db/schema/tables/documents.ts";
import { compareNames } from "./natural-order.ts";
import { itemKey, ownKey, type Sibling } from "./place-keys.ts";

/** The stored places of items by `itemKey`. */
export type Places = ReadonlyMap<string, string>;

/** Kind of the key, then name or place, then id. Items of one parent have keys of one order. */
export type SortKey = readonly (string | number)[];

const BY_PLACE = 2;

export const placeOf = (item: Sibling, places: Places): string => places.get(itemKey(item)) ?? ownKey(item);

/** Folders before documents, each by name or title, or all of them by place. */
export function sortKey(item: Sibling, order: ChildOrder, places: Places): SortKey {
  if (order === "manual") return [BY_PLACE, placeOf(item, places), item.id];
  return item.type === "folder" ? [0, item.name, item.id] : [1, item.title, item.id];
}

export const compareKeys = ([kind, text, id]: SortKey, [otherKind, otherText, otherId]: SortKey): number =>
  Number(kind) - Number(otherKind) ||
  (kind === BY_PLACE ? compareText(String(text), String(otherText)) : compareNames(String(text), String(otherText))) ||
  compareIds(id, otherId);

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
/** Two ids of different kinds only meet where equal places would, which the store refuses. */
const compareIds = (a: string | number = 0, b: string | number = 0): number => (a > b ? 1 : -1);

/** Sorts the items of one parent. */
export function sortSiblings<T extends Sibling>(items: readonly T[], order: ChildOrder, places: Places): T[] {
  const keyed = items.map((item) => ({ item, key: sortKey(item, order, places) }));
  return keyed.sort((a, b) => compareKeys(a.key, b.key)).map(({ item }) => item);
}
