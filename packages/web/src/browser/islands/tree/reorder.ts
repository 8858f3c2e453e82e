import { mayWriteAt } from "../common/api.ts";
import { attempt, toast } from "../common/toast.ts";
import { containerOf, move, type PlaceAmong, readOrder, setOrder } from "./changes.ts";
import { settle } from "./many.ts";
import { itemOf, parentOf } from "./tree.ts";
import { type Container, keyOf, type Movable, treeItemOf } from "./tree-item.ts";
import { itemIn } from "./tree-rows.ts";

/** A place beside another item. */
export interface Beside {
  readonly side: "before" | "after";
  readonly sibling: Movable;
  readonly within: Container;
}

const placeBeside = ({ side, sibling: { kind, id } }: Pick<Beside, "side" | "sibling">): PlaceAmong =>
  side === "before" ? { before: { type: kind, id } } : { after: { type: kind, id } };

/** The folder or knowledge base in which the tree shows an item. */
export function containerAbove(item: HTMLElement): Container | undefined {
  const above = parentOf(item);
  const container = above && treeItemOf(above);
  return container?.kind === "document" ? undefined : container;
}

/** The item shown before or after another one in its level. */
function neighbour(item: HTMLElement, step: -1 | 1): Movable | undefined {
  const row = item.parentElement;
  const next = step < 0 ? row?.previousElementSibling : row?.nextElementSibling;
  const link = next && itemIn(next);
  const found = link ? treeItemOf(link) : undefined;
  return found?.kind === "base" ? undefined : found;
}

/** The present place of an item, so that a move can be undone. */
function placeNow(place: Movable): PlaceAmong {
  const item = itemOf(place);
  const before = item && neighbour(item, -1);
  return before ? placeBeside({ side: "after", sibling: before }) : { first: true };
}

/** Moves items beside another one, with one undo for all of them. */
export const placeWithUndo = (places: readonly Movable[], { side, sibling, within }: Beside): Promise<void> =>
  attempt(async () => {
    const order = await readOrder(within);
    const was = await Promise.all(
      places.map(async (place) => ({ place, from: await containerOf(place), at: placeNow(place) })),
    );
    let beside = { side, sibling };
    for (const place of places) {
      await move(place, within, placeBeside(beside));
      beside = { side: "after", sibling: place };
    }
    const levels = [within, ...was.map(({ from }) => from)];
    await settle(levels);
    const [only] = places;
    toast(places.length === 1 && only ? `Moved “${only.name}”.` : `Moved ${places.length} items.`, async () => {
      for (const { place, from, at } of was) await move(place, from, keyOf(from) === keyOf(within) ? at : undefined);
      if (order === "name") await setOrder(within, order);
      await settle(levels);
    });
  });

/** Moves an item up or down by one, and keeps the focus on it. */
export async function moveByOne(item: HTMLElement, step: -1 | 1): Promise<void> {
  const place = treeItemOf(item);
  const sibling = neighbour(item, step);
  const within = containerAbove(item);
  if (!place || place.kind === "base" || !sibling || !within || !mayWriteAt(item)) return;
  await placeWithUndo([place], { side: step < 0 ? "before" : "after", sibling, within });
  itemOf(place)?.focus();
}
