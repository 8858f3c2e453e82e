import { mayWriteAt, mayWriteSomewhere } from "../common/api.ts";
import { targetOf } from "../common/element.ts";
import { aboutOf } from "./item-actions.ts";
import { moveWithUndo } from "./many.ts";
import { type Movable, treeItemOf } from "./tree-item.ts";

/** Pages and folders are dragged onto folders and knowledge bases. */
export function startDragging(tree: HTMLElement): void {
  if (!mayWriteSomewhere()) return;
  let dragged: Movable[] = [];
  const itemAt = (event: Event) => targetOf(event)?.closest<HTMLElement>("[role=treeitem]");
  const unmark = () => {
    for (const marked of tree.querySelectorAll(".drop-here")) marked.classList.remove("drop-here");
  };
  tree.addEventListener("dragstart", (event) => {
    const item = itemAt(event);
    dragged = item ? aboutOf(item) : [];
  });
  tree.addEventListener("dragover", (event) => {
    const item = itemAt(event);
    const target = item && treeItemOf(item);
    if (!item || !target || target.kind === "document" || dragged.length === 0 || !mayWriteAt(item)) return;
    event.preventDefault();
    unmark();
    item.classList.add("drop-here");
  });
  tree.addEventListener("dragleave", unmark);
  tree.addEventListener("drop", (event) => {
    const item = itemAt(event);
    const target = item && treeItemOf(item);
    unmark();
    if (!item || !target || target.kind === "document" || dragged.length === 0 || !mayWriteAt(item)) return;
    event.preventDefault();
    moveWithUndo(dragged, target);
    dragged = [];
  });
}
