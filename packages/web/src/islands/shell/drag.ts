import { mayWrite } from "./api.ts";
import { type Place, placeOf } from "./place.ts";
import { moveWithUndo } from "./place-actions.ts";

/** Pages and folders are dragged onto folders and knowledge bases. */
export function startDragging(tree: HTMLElement): void {
  if (!mayWrite()) return;
  let dragged: Place | undefined;
  const itemAt = (event: Event) => (event.target as HTMLElement).closest<HTMLElement>("[role=treeitem]");
  const unmark = () => {
    for (const marked of tree.querySelectorAll(".drop-here")) marked.classList.remove("drop-here");
  };
  tree.addEventListener("dragstart", (event) => {
    const item = itemAt(event);
    dragged = item ? placeOf(item) : undefined;
  });
  tree.addEventListener("dragover", (event) => {
    const item = itemAt(event);
    const target = item && placeOf(item);
    if (!item || !target || target.kind === "document" || !dragged || dragged.kind === "base") return;
    event.preventDefault();
    unmark();
    item.classList.add("drop-here");
  });
  tree.addEventListener("dragleave", unmark);
  tree.addEventListener("drop", (event) => {
    const item = itemAt(event);
    const target = item && placeOf(item);
    unmark();
    if (!target || target.kind === "document" || !dragged || dragged.kind === "base") return;
    event.preventDefault();
    moveWithUndo(dragged, target);
    dragged = undefined;
  });
}
