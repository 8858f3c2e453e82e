import { mayWriteAt, mayWriteSomewhere } from "../common/api.ts";
import { targetOf } from "../common/element.ts";
import { aboutOf } from "./item-actions.ts";
import { moveWithUndo } from "./many.ts";
import { type Beside, containerAbove, placeWithUndo } from "./reorder.ts";
import { type Container, type Movable, treeItemOf } from "./tree-item.ts";

/** The effect of letting go: into a container, or between two of its items. */
type Drop = { readonly mark: "drop-here"; readonly to: Container } | Between;
interface Between extends Beside {
  readonly mark: "drop-before" | "drop-after";
}

/** The share of a container's row, at its top and bottom, that means a place beside it. */
const EDGE = 0.25;

/** Pages and folders are dragged into folders and knowledge bases, and between their items. */
export function startDragging(tree: HTMLElement): void {
  if (!mayWriteSomewhere()) return;
  let dragged: Movable[] = [];
  const itemAt = (event: Event) => targetOf(event)?.closest<HTMLElement>("[role=treeitem]") ?? undefined;
  const unmark = () => {
    for (const mark of ["drop-here", "drop-before", "drop-after"])
      for (const marked of tree.querySelectorAll(`.${mark}`)) marked.classList.remove(mark);
  };
  tree.addEventListener("dragstart", (event) => {
    const item = itemAt(event);
    dragged = item ? aboutOf(item) : [];
  });
  tree.addEventListener("dragover", (event) => {
    const item = itemAt(event);
    const drop = item && dropAt(item, event, dragged);
    if (!item || !drop) return;
    event.preventDefault();
    unmark();
    item.classList.add(drop.mark);
  });
  tree.addEventListener("dragleave", unmark);
  tree.addEventListener("drop", (event) => {
    const item = itemAt(event);
    const drop = item && dropAt(item, event, dragged);
    unmark();
    if (!drop) return;
    event.preventDefault();
    if (drop.mark === "drop-here") moveWithUndo(dragged, drop.to);
    else placeWithUndo(dragged, drop);
    dragged = [];
  });
}

/** Undefined if the dragged items cannot be dropped there. */
function dropAt(item: HTMLElement, { clientY }: DragEvent, dragged: readonly Movable[]): Drop | undefined {
  const target = treeItemOf(item);
  if (!target || dragged.length === 0 || !mayWriteAt(item)) return undefined;
  if (target.kind === "base") return { mark: "drop-here", to: target };
  const { top, height } = item.getBoundingClientRect();
  const at = (clientY - top) / height;
  if (target.kind === "folder" && at > EDGE && at < 1 - EDGE) return { mark: "drop-here", to: target };
  const within = containerAbove(item);
  if (!within || dragged.some(({ kind, id }) => kind === target.kind && id === target.id)) return undefined;
  const side = at < 0.5 ? "before" : "after";
  return { mark: `drop-${side}`, side, sibling: target, within };
}
