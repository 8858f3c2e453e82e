import { targetOf } from "../common/element.ts";
import { attempt } from "../common/toast.ts";
import { startDragging } from "./drag.ts";
import { aboutOf, makePageIn, openItemMenu, renameInTree } from "./item-actions.ts";
import { discardAll } from "./many.ts";
import { moveByOne } from "./reorder.ts";
import { choose, chooseTo, clearSelection } from "./selection.ts";
import { close, groupOf, items, open, openKept, parentOf, root, visibleItems } from "./tree.ts";
import { prepareItem } from "./tree-rows.ts";

function focus(item: HTMLElement | undefined): void {
  if (!item) return;
  for (const other of visibleItems()) other.tabIndex = -1;
  item.tabIndex = 0;
  item.focus();
}

const keys: Record<string, (item: HTMLElement) => void> = {
  ArrowDown: (item) => focus(visibleItems()[visibleItems().indexOf(item) + 1]),
  ArrowUp: (item) => focus(visibleItems()[visibleItems().indexOf(item) - 1]),
  Home: () => focus(visibleItems()[0]),
  End: () => focus(visibleItems().at(-1)),
  ArrowRight: (item) => {
    if (item.ariaExpanded === "false") attempt(() => open(item));
    else focus(groupOf(item) && items(groupOf(item)!)[0]);
  },
  ArrowLeft: (item) => (item.ariaExpanded === "true" ? close(item) : focus(parentOf(item))),
  Insert: (item) => makePageIn(item),
  F2: (item) => renameInTree(item),
  Delete: (item) => void discardAll(aboutOf(item)).then(clearSelection),
  " ": (item) => choose(item),
  Escape: () => clearSelection(),
};

let typed = { text: "", at: 0 };

/** Letters lead to the next name that begins with them. */
function typeAhead(item: HTMLElement, letter: string): void {
  const now = Date.now();
  typed = { text: (now - typed.at < 600 ? typed.text : "") + letter.toLowerCase(), at: now };
  const all = visibleItems();
  const from = all.indexOf(item);
  const inOrder = [...all.slice(from + 1), ...all.slice(0, from + 1)];
  focus(inOrder.find((other) => (other.dataset.name ?? "").toLowerCase().startsWith(typed.text)));
}

function onKey(event: KeyboardEvent): void {
  const target = targetOf(event);
  const item = target?.closest<HTMLElement>("[role=treeitem]");
  if (!item || target?.matches("input") || event.ctrlKey || event.metaKey) return;
  if (event.altKey) {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    event.preventDefault();
    void moveByOne(item, event.key === "ArrowUp" ? -1 : 1);
    return;
  }
  if (event.key === "ContextMenu" || (event.shiftKey && event.key === "F10")) {
    event.preventDefault();
    openItemMenu(item, item.getBoundingClientRect());
    return;
  }
  if (event.shiftKey && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
    event.preventDefault();
    choose(item, true);
    keys[event.key]?.(item);
    if (document.activeElement instanceof HTMLElement) choose(document.activeElement, true);
    return;
  }
  const run = keys[event.key];
  const isLetter = event.key.length === 1 && /[\p{L}\p{N}]/u.test(event.key);
  if (!run && !isLetter) return;
  event.preventDefault();
  event.stopPropagation();
  if (run) run(item);
  else typeAhead(item, event.key);
}

function onClick(event: MouseEvent): void {
  const target = targetOf(event);
  const item = target?.closest<HTMLElement>("[role=treeitem]");
  if (!target || !item) return;
  if (event.shiftKey) {
    event.preventDefault();
    chooseTo(item, visibleItems());
  } else if (target.matches(".tree-plus")) {
    event.preventDefault();
    makePageIn(item);
  } else if (target.matches(".tree-more")) {
    event.preventDefault();
    openItemMenu(item, target.getBoundingClientRect());
  } else if (target.matches(".tree-twisty") && item.ariaExpanded !== null) {
    event.preventDefault();
    if (item.ariaExpanded === "true") close(item);
    else attempt(() => open(item));
  }
}

/** Makes the tree answer to keys and the pointer, and opens what was open. */
export async function startTree(): Promise<void> {
  const tree = root();
  if (!tree) return;
  items(tree).forEach(prepareItem);
  tree.addEventListener("keydown", onKey);
  tree.addEventListener("click", onClick);
  tree.addEventListener("contextmenu", (event) => {
    const item = targetOf(event)?.closest<HTMLElement>("[role=treeitem]");
    if (!item?.dataset.kind) return;
    event.preventDefault();
    openItemMenu(item, new DOMRect(event.clientX, event.clientY, 0, 0));
  });
  startDragging(tree);
  await attempt(() => openKept(tree));
}
