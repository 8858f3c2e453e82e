import { duplicate } from "../tree/item-actions.ts";
import { moveTo } from "../tree/many.ts";
import { treeItemOf } from "../tree/tree-item.ts";

/** Commands of a page's menu that concern its place in the tree. */
export function startPageActions(): void {
  const title = document.querySelector<HTMLElement>("[data-page-title]");
  for (const button of document.querySelectorAll<HTMLElement>("[data-page-action]"))
    button.addEventListener("click", () => {
      const place = title && treeItemOf(title);
      if (place?.kind !== "document") return;
      if (button.dataset.pageAction === "move") void moveTo([place]);
      if (button.dataset.pageAction === "copy") void duplicate(place);
    });
}
