import { explain } from "../common/api.ts";
import { attempt, toast, toastAfter } from "../common/toast.ts";
import { refreshList } from "../shell/list-refresh.ts";
import { containerOf, copyInto, discard, move, restoreAll } from "./changes.ts";
import type { chooseContainer } from "./choose-container.ts";
import { itemOf, parentOf, refresh } from "./tree.ts";
import { addressOf, type Container, keyOf, type Movable, type TreeItem } from "./tree-item.ts";

/** Loads the dialog on first use: it is a separate island. */
const askFor: typeof chooseContainer = async (...question) => {
  const island: { chooseContainer: typeof chooseContainer } = await import(
    new URL("choose-container.js", import.meta.url).href
  );
  return island.chooseContainer(...question);
};

const named = (places: readonly Movable[]): string =>
  places.length === 1 ? `“${places[0]?.name}”` : `${places.length} things`;

/** Whether the current page shows the item or something inside it. */
export const isShown = (place: Pick<TreeItem, "kind" | "id">): boolean =>
  `${location.pathname}/`.startsWith(`${addressOf(place)}/`);

/** Leaves out items inside another selected folder, because they move along with it. */
function outermost(places: readonly Movable[]): readonly Movable[] {
  const keys = new Set(places.map(keyOf));
  return places.filter((place) => {
    let above = itemOf(place);
    do above = above && parentOf(above);
    while (above && !keys.has(`${above.dataset.kind}:${above.dataset.id}`));
    return above === undefined;
  });
}

/** Refreshes levels of the tree, and the list and path of the page. */
export async function settle(levels: readonly Container[]): Promise<void> {
  for (const level of new Map(levels.map((one) => [keyOf(one), one])).values()) await refresh(level);
  await refreshList();
}

interface Done<T> {
  readonly done: readonly (readonly [Movable, T])[];
  /** The error that stopped the rest. */
  readonly failed: string | undefined;
}

/** Processes items one after the other; the first failure stops it, and finished items can still be undone. */
async function each<T>(places: readonly Movable[], act: (place: Movable) => Promise<T>): Promise<Done<T>> {
  const done: [Movable, T][] = [];
  try {
    for (const place of places) done.push([place, await act(place)]);
  } catch (error) {
    return { done, failed: explain(error) };
  }
  return { done, failed: undefined };
}

const toastResult = (text: string, failed: string | undefined, undo?: () => Promise<void>): void =>
  toast(failed ? `${text} Then it stopped: ${failed}` : text, undo);

export async function moveTo(chosen: readonly Movable[]): Promise<void> {
  const places = outermost(chosen);
  const to = await askFor(`Move ${named(places)} to`, places, "Move here");
  if (to) await moveWithUndo(places, to);
}

/** Moves items, with one undo for all of them. */
export const moveWithUndo = (places: readonly Movable[], to: Container): Promise<void> =>
  attempt(async () => {
    const { done, failed } = await each(outermost(places), async (place) => {
      const from = await containerOf(place);
      if (keyOf(from) !== keyOf(to)) await move(place, to);
      return from;
    });
    const moved = done.filter(([, from]) => keyOf(from) !== keyOf(to));
    if (moved.length === 0) {
      if (failed) toast(failed);
      return;
    }
    const levels = [to, ...moved.map(([, from]) => from)];
    await settle(levels);
    toastResult(`Moved ${named(moved.map(([place]) => place))} to “${to.name}”.`, failed, async () => {
      for (const [place, from] of moved.toReversed()) await move(place, from);
      await settle(levels);
    });
  });

/** Copies items, folders with all their contents; undoing deletes the copies. */
export async function copyTo(chosen: readonly Movable[]): Promise<void> {
  const places = outermost(chosen);
  const to = await askFor(`Copy ${named(places)} to`, places, "Copy here");
  if (!to) return;
  await attempt(async () => {
    const { done, failed } = await each(places, (place) => copyInto(place, to));
    await settle([to]);
    toastResult(`Copied ${named(done.map(([place]) => place))} to “${to.name}”.`, failed, async () => {
      for (const [, made] of done) await discard(made);
      await settle([to]);
    });
  });
}

/** Deletes items, with one undo for all that the trash keeps. */
export const discardAll = (places: readonly Movable[]): Promise<void> =>
  attempt(async () => {
    const { done, failed } = await each(outermost(places), async (place) => {
      const from = await containerOf(place);
      return { from, trashed: await discard(place) };
    });
    if (done.length === 0) {
      if (failed) toast(failed);
      return;
    }
    const trashed = done.flatMap(([, { trashed }]) => trashed ?? []);
    const what = named(done.map(([place]) => place));
    const text = trashed.length > 0 ? `Moved ${what} to the trash.` : `Deleted ${what}.`;
    const levels = done.map(([, { from }]) => from);
    const [first] = levels;
    if (first && done.some(([place]) => isShown(place))) {
      toastAfter(text, trashed);
      location.assign(addressOf(first));
      return;
    }
    await settle(levels);
    if (first) itemOf(first)?.focus();
    const undo = async () => {
      const more = await restoreAll(trashed);
      await settle(levels);
      if (more) toast(more);
    };
    toastResult(text, failed, trashed.length > 0 ? undo : undefined);
  });
