import { defined } from "@svc/document/defined";
import type { Static } from "typebox";
import type { Reader, Tx } from "../../../db/database.ts";
import type { ChildOrder } from "../../../db/schema/tables/documents.ts";
import { invalidRequest } from "../../../errors.ts";
import {
  firstKeys,
  itemKey,
  keyBetween,
  MAX_PLACE_LENGTH,
  type NamedItem,
  parentKey,
  type Sibling,
} from "./place-keys.ts";
import {
  forgetPlacesIn,
  forgetPlacesOf,
  listPlaces,
  listSiblings,
  type Parent,
  putPlace,
  readChildOrder,
  replacePlaces,
  setManual,
} from "./queries.ts";
import type { Place } from "./schema.ts";
import { type Places, placeOf, sortSiblings } from "./sort-siblings.ts";

type ItemRef = Pick<Sibling, "type" | "id">;
export type WantedPlace = Static<typeof Place>;

interface Placing {
  readonly workspaceId: string;
  /** The item, which is in its parent already. */
  readonly item: ItemRef;
  readonly parent: Parent;
  readonly place: WantedPlace;
  /** The caller's reader: a sibling that it does not see is refused like one that does not exist. */
  readonly shown: Reader;
}

/**
 * Puts an item in its place among its siblings and returns whether that changed anything. The caller has locked the
 * parent for a change, so that two moves in one parent follow each other.
 */
export async function placeItem(tx: Tx, { workspaceId, item, parent, place, shown }: Placing): Promise<boolean> {
  const siblings = await listSiblings(tx, workspaceId, parent);
  const beside = place.before ?? place.after;
  if (beside) await checkSibling(shown, workspaceId, parent, item, beside);
  const key = parentKey(parent.knowledgeBaseId, parent.folderId);
  const order = await readChildOrder(tx, workspaceId, parent);
  const stored = await listPlaces(tx, workspaceId, [key]);
  const sorted = sortSiblings(siblings, order, stored);
  const at = sorted.findIndex((other) => itemKey(other) === itemKey(item));
  const others = sorted.filter((_, index) => index !== at);
  const to = indexIn(others, place);
  const moved = sorted[at];
  if (!moved || (order === "manual" && to === at)) return false;
  if (order !== "manual") {
    await setManual(tx, workspaceId, parent);
    await replacePlaces(tx, workspaceId, key, freshPlaces([...others.slice(0, to), moved, ...others.slice(to)]));
    return true;
  }
  const [left, right] = [others[to - 1], others[to]].map((other) => other && placeOf(other, stored));
  const between = keyBetween(left, right);
  if (between.length <= MAX_PLACE_LENGTH) await putPlace(tx, workspaceId, key, itemKey(item), between);
  else await replacePlaces(tx, workspaceId, key, freshPlaces([...others.slice(0, to), moved, ...others.slice(to)]));
  return true;
}

function freshPlaces(sorted: readonly Sibling[]): Places {
  const keys = firstKeys(sorted.length);
  return new Map(sorted.map((item, index) => [itemKey(item), keys[index] ?? ""]));
}

const NOT_A_SIBLING = "must name another item of the same parent";

/** The sibling must be another item that the caller sees in this parent. */
async function checkSibling(
  shown: Reader,
  workspaceId: string,
  parent: Parent,
  item: ItemRef,
  beside: NamedItem,
): Promise<void> {
  const key = itemKey(beside);
  const seen = await listSiblings(shown, workspaceId, parent);
  if (key === itemKey(item) || !seen.some((other) => itemKey(other) === key))
    throw invalidRequest("body.place", NOT_A_SIBLING);
}

/** The index at which the item goes among the others. */
function indexIn(others: readonly Sibling[], { first, last, before, after }: WantedPlace): number {
  if (first) return 0;
  if (last) return others.length;
  const beside = itemKey(defined(before ?? after));
  return others.findIndex((other) => itemKey(other) === beside) + (before ? 0 : 1);
}

/**
 * Stores the places for another order: a manual one begins with the order shown so far, and any other forgets them. The
 * caller has locked the parent and stores the order itself.
 */
export async function startOrder(tx: Tx, workspaceId: string, parent: Parent, order: ChildOrder): Promise<void> {
  const key = parentKey(parent.knowledgeBaseId, parent.folderId);
  if (order === "name") return forgetPlacesIn(tx, workspaceId, [key]);
  const siblings = await listSiblings(tx, workspaceId, parent);
  await replacePlaces(tx, workspaceId, key, freshPlaces(sortSiblings(siblings, "name", new Map())));
}

/** Puts an item that was moved into a parent with a manual order last. */
export async function arriveLast(tx: Tx, workspaceId: string, item: ItemRef, parent: Parent): Promise<void> {
  if ((await readChildOrder(tx, workspaceId, parent)) !== "manual") return;
  const key = parentKey(parent.knowledgeBaseId, parent.folderId);
  await putPlace(tx, workspaceId, key, itemKey(item), keyBetween(undefined, undefined));
}

/** Gives a folder the place of the document that goes into it. */
export async function inheritPlace(
  tx: Tx,
  workspaceId: string,
  document: Extract<Sibling, { type: "document" }>,
  folderId: number,
  parent: Parent,
): Promise<void> {
  if ((await readChildOrder(tx, workspaceId, parent)) !== "manual") return;
  const key = parentKey(parent.knowledgeBaseId, parent.folderId);
  const place = placeOf(document, await listPlaces(tx, workspaceId, [key]));
  await forgetPlacesOf(tx, workspaceId, [itemKey(document)]);
  await putPlace(tx, workspaceId, key, itemKey({ type: "folder", id: folderId }), place);
}
