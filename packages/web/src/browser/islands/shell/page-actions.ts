import { duplicate } from "../tree/item-actions.ts";
import { moveTo } from "../tree/many.ts";
import { rowOfDocument } from "../tree/tree.ts";
import { type Movable, treeItemOf } from "../tree/tree-item.ts";

/** A page that has pages below it moves as the folder that holds them all. */
function entryOf(place: Movable): Movable {
  const row = place.kind === "document" ? rowOfDocument(place.id) : undefined;
  const entry = row && treeItemOf(row);
  return entry?.kind === "folder" ? entry : place;
}

/** Commands of a page's menu that concern its place in the tree. */
export function startPageActions(): void {
  const title = document.querySelector<HTMLElement>("[data-page-title]");
  for (const button of document.querySelectorAll<HTMLElement>("[data-page-action]"))
    button.addEventListener("click", () => {
      const place = title && treeItemOf(title);
      if (place?.kind !== "document") return;
      if (button.dataset.pageAction === "move") void moveTo([entryOf(place)]);
      if (button.dataset.pageAction === "copy") void duplicate(place);
    });
}
