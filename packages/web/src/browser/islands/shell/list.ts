import { mayWriteAt } from "../common/api.ts";
import { element } from "../common/element.ts";
import { discardAll } from "../tree/many.ts";
import { choose, chooseTo, clearSelection, paint, selected } from "../tree/selection.ts";
import { treeItemOf } from "../tree/tree-item.ts";
import { LIST } from "./list-refresh.ts";

const boxes = (): HTMLInputElement[] => [
  ...document.querySelectorAll<HTMLInputElement>("[data-list] input[data-kind]"),
];

/** Adds a checkbox to each row for selecting it. */
function addBoxes(): void {
  for (const line of document.querySelectorAll<HTMLElement>("[data-list] a[data-kind]")) {
    const place = treeItemOf(line);
    if (!place) continue;
    const box = element("input", {
      type: "checkbox",
      class: "choose",
      "aria-label": `Choose ${place.name}`,
      "data-kind": place.kind,
      "data-id": place.id,
      "data-name": place.name,
    });
    line.before(box);
  }
  paint();
}

function onClick(event: MouseEvent): void {
  const box = event.target;
  if (!(box instanceof HTMLInputElement) || box.dataset.kind === undefined) return;
  if (event.shiftKey) chooseTo(box, boxes());
  else choose(box, box.checked);
}

/**
 * Arrow keys move between checkboxes, with Shift they select; Delete deletes the selected rows, Escape clears the
 * selection.
 */
function onKey(event: KeyboardEvent): void {
  const box = event.target;
  if (!(box instanceof HTMLInputElement) || box.dataset.kind === undefined) return;
  const all = boxes();
  const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
  const next = all[all.indexOf(box) + (steps[event.key] ?? 0)];
  if (event.key === "Escape") clearSelection();
  else if (event.key === "Delete" && selected().length > 0) discardAll(selected()).then(clearSelection);
  else if (event.key === "a" && (event.ctrlKey || event.metaKey)) for (const one of all) choose(one, true);
  else if (steps[event.key] && next) {
    if (event.shiftKey) choose(box, true);
    if (event.shiftKey) choose(next, true);
    next.focus();
  } else return;
  event.preventDefault();
}

/** Enables selecting several rows of a folder's page. */
export function startList(): void {
  const list = document.querySelector<HTMLElement>("[data-list]");
  if (!list || !mayWriteAt(list)) return;
  addBoxes();
  document.addEventListener(LIST, addBoxes);
  list.addEventListener("click", onClick);
  list.addEventListener("keydown", onKey);
}
