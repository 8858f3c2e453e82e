import { isShown } from "../tree/many.ts";
import { itemOf } from "../tree/tree.ts";
import { addressOf, type TreeItem } from "../tree/tree-item.ts";

/** Shows a renamed place's new name wherever this page has it: title, tree, favourites and recent pages. */
export function showName(place: Pick<TreeItem, "kind" | "id">, name: string): void {
  if (isShown(place)) {
    const title = document.querySelector<HTMLElement>("[data-page-title]");
    if (title) title.textContent = name;
    document.title = `${name} · svc`;
  }
  const item = itemOf(place);
  if (item) item.dataset.name = name;
  for (const label of document.querySelectorAll(`.side a[href="${addressOf(place)}"] .tree-name`))
    label.textContent = name;
}
