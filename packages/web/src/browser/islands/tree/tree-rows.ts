import { element, icon } from "../common/element.ts";
import type { Child } from "./levels.ts";
import { addressOf, keyOf, treeItemOf } from "./tree-item.ts";

/** A row of the tree: a list item with a link and optionally the next level. */
export function row(child: Child, level: number): HTMLElement {
  const isHere = location.pathname === addressOf(child);
  const link = element(
    "a",
    {
      class: "tree-item",
      role: "treeitem",
      href: addressOf(child),
      "aria-level": level,
      "data-kind": child.kind,
      "data-id": child.id,
      "data-name": child.name,
      "data-page": child.kind === "folder" ? child.page : undefined,
      "aria-current": isHere ? "page" : undefined,
      "aria-expanded": child.kind === "folder" && child.isFilled ? "false" : undefined,
    },
    element("span", { class: "tree-twisty", "aria-hidden": "true" }),
    icon(child.icon),
    element("span", { class: "tree-name", dir: "auto" }, child.name),
  );
  prepareItem(link);
  link.style.setProperty("--level", String(level));
  return element("li", { role: "none" }, link);
}

/** Adds the parts of an item that need scripts. */
export function prepareItem(item: HTMLElement): void {
  item.tabIndex = -1;
  if (item.dataset.kind !== undefined)
    item.append(element("span", { class: "tree-plus", "aria-hidden": "true", title: "New page below" }, "+"));
  item.append(element("span", { class: "tree-more", "aria-hidden": "true", title: "Actions" }, "⋯"));
}

export const itemIn = (row: Element): HTMLElement | null => row.querySelector<HTMLElement>(":scope > [role=treeitem]");

/** The rows of a level, by the key of what they show. */
export const rowsOf = (group: HTMLElement): Map<string, HTMLElement> =>
  new Map(
    [...group.children].flatMap((li) => {
      const place = treeItemOf(itemIn(li)!);
      return place && li instanceof HTMLElement ? [[keyOf(place), li] as const] : [];
    }),
  );

/** Arranges rows; remaining rows keep their elements, so that focus, menus and fields survive. */
export function arrange(group: HTMLElement, rows: readonly HTMLElement[]): void {
  const kept = new Set<Element>(rows);
  for (const old of [...group.children]) if (!kept.has(old)) old.remove();
  let at = group.firstElementChild;
  for (const row of rows)
    if (row === at) at = at.nextElementSibling;
    else group.insertBefore(row, at);
}

export function updateRow(old: HTMLElement, child: Child): HTMLElement {
  const item = itemIn(old);
  const name = item?.querySelector(".tree-name");
  if (!item || !name) return old;
  if (child.kind === "folder" && child.page !== item.dataset.page) return row(child, Number(item.ariaLevel));
  item.dataset.name = child.name;
  name.textContent = child.name;
  if (child.kind === "folder" && child.isFilled) item.ariaExpanded ??= "false";
  return old;
}
