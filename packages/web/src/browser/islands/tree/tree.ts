import { AnswerOrder } from "../common/answer-order.ts";
import { at } from "../common/base-path.ts";
import { element } from "../common/element.ts";
import { readPage } from "../common/read-page.ts";
import { attempt } from "../common/toast.ts";
import { childrenOf, type LevelWindow, readWindow, showEarlier, showLater } from "./level-window.ts";
import { addressOf, type Container, keyOf, type TreeItem, treeItemOf } from "./tree-item.ts";
import { arrange, itemIn, prepareItem, row, rowsOf, updateRow } from "./tree-rows.ts";

/** The tree of the sidebar: the server brings the knowledge bases and the way to this page, the rest is asked for. */
export const root = (): HTMLElement | null => document.querySelector("[data-tree]");

export const items = (within: ParentNode): HTMLElement[] => [
  ...within.querySelectorAll<HTMLElement>('[role="treeitem"]'),
];
export const visibleItems = (): HTMLElement[] => {
  const tree = root();
  return tree ? items(tree).filter((item) => item.offsetParent !== null) : [];
};

export const groupOf = (item: HTMLElement): HTMLElement | undefined =>
  item.parentElement?.querySelector<HTMLElement>(":scope > [role=group]") ?? undefined;
export const parentOf = (item: HTMLElement): HTMLElement | undefined =>
  item.closest("[role=group]")?.parentElement?.querySelector<HTMLElement>(":scope > [role=treeitem]") ?? undefined;

const isContainer = (place: TreeItem | undefined): place is Container =>
  place !== undefined && place.kind !== "document";

/** The storage key for open items, which stay open on the next page. */
const storeName = (): string => `svc-open:${root()?.dataset.tree ?? ""}`;
const openKeys = (): Set<string> => new Set(JSON.parse(localStorage.getItem(storeName()) ?? "[]"));
function rememberOpen(key: string, isOpen: boolean): void {
  const keys = openKeys();
  if (isOpen) keys.add(key);
  else keys.delete(key);
  localStorage.setItem(storeName(), JSON.stringify([...keys].slice(-500)));
}

/** How deep the rows of a list stand. */
const levelOf = (group: HTMLElement): number => {
  const above = group.parentElement?.querySelector(":scope > [role=treeitem]");
  return Number(above?.getAttribute("aria-level") ?? 0) + 1;
};

/** The shown part of each loaded level. */
const windows = new WeakMap<HTMLElement, LevelWindow>();

/** The first or last row of a level that has more than is shown. */
function restRow(
  group: HTMLElement,
  at: Container,
  name: string,
  read: (at: Container, shown: LevelWindow) => Promise<LevelWindow>,
): HTMLElement {
  const level = levelOf(group);
  const more = element(
    "a",
    { class: "tree-item tree-show-more", role: "treeitem", tabindex: -1, href: addressOf(at), "aria-level": level },
    name,
  );
  more.style.setProperty("--level", String(level));
  more.addEventListener("click", (event) => {
    event.preventDefault();
    attempt(async () => {
      const before = rowsOf(group);
      await show(group, at, await read(at, windows.get(group)!));
      // Move the focus to the nearest new row.
      const came = [...rowsOf(group)].flatMap(([key, row]) => (before.has(key) ? [] : [row]));
      const next = read === showLater ? came[0] : came.at(-1);
      if (next) itemIn(next)?.focus();
    });
  });
  return element("li", { role: "none", class: "tree-rest" }, more);
}

async function show(group: HTMLElement, at: Container, shown: LevelWindow): Promise<void> {
  windows.set(group, shown);
  const known = rowsOf(group);
  const rows = childrenOf(shown).map((child) => {
    const old = known.get(keyOf(child));
    return old ? updateRow(old, child) : row(child, levelOf(group));
  });
  const isPart = shown.next !== null || shown.earlier.length > 0;
  const way = isPart ? [...known.values()].filter((old) => isWay(old) && !rows.includes(old)) : [];
  arrange(group, [
    ...(shown.earlier.length > 0 ? [restRow(group, at, "Show earlier", showEarlier)] : []),
    ...rows,
    ...way,
    ...(shown.next === null ? [] : [restRow(group, at, "Show more", showLater)]),
  ]);
  const keys = openKeys();
  for (const item of rows.flatMap((made) => itemIn(made) ?? [])) {
    const inside = treeItemOf(item);
    const isRead = groupOf(item)?.dataset.read !== undefined;
    if (inside && keys.has(keyOf(inside)) && item.ariaExpanded !== null && !isRead) await open(item);
  }
}

/** The row that leads to this page stays, however far down its level it is. */
const isWay = (li: HTMLElement): boolean => li.querySelector("[aria-current=page]") !== null;

export async function open(item: HTMLElement): Promise<void> {
  const place = treeItemOf(item);
  if (!isContainer(place)) return;
  item.ariaExpanded = "true";
  rememberOpen(keyOf(place), true);
  await load(item, place);
}

const orders = new WeakMap<HTMLElement, AnswerOrder>();

/** Reloads the level below an item; the old rows stay until then. */
async function load(item: HTMLElement, place: Container): Promise<void> {
  const old = groupOf(item);
  const order = orders.get(item) ?? new AnswerOrder();
  orders.set(item, order);
  const isNewest = order.ask();
  const shown = await readWindow(place, old && windows.get(old));
  if (!isNewest()) return;
  if (childrenOf(shown).length === 0) {
    groupOf(item)?.remove();
    if (place.kind === "folder") item.removeAttribute("aria-expanded");
    return;
  }
  const group = groupOf(item) ?? element("ul", { role: "group" });
  group.dataset.read = "";
  item.ariaExpanded = "true";
  if (!group.isConnected) item.parentElement?.append(group);
  await show(group, place, shown);
}

export function close(item: HTMLElement): void {
  const place = treeItemOf(item);
  item.ariaExpanded = "false";
  groupOf(item)?.remove();
  if (place) rememberOpen(keyOf(place), false);
}

const find = (key: string): HTMLElement | undefined => {
  const tree = root();
  return tree
    ? items(tree).find((item) => item.dataset.kind !== undefined && keyOf(treeItemOf(item)!) === key)
    : undefined;
};

/** Shows a container's current content after a change in it. */
export async function refresh(at: Pick<Container, "kind" | "id">): Promise<void> {
  const item = find(keyOf(at));
  const place = item && treeItemOf(item);
  if (!item || !isContainer(place)) return;
  if (groupOf(item) || item.ariaExpanded === "true") await load(item, place);
  else item.ariaExpanded = "false";
}

/** Adds knowledge bases created since the page was rendered, sorted by name. */
export async function addBases(): Promise<void> {
  const tree = root();
  const fresh = (await readPage(at("/knowledge-bases")))?.querySelector<HTMLElement>("[data-tree]");
  // Another tab may have switched workspaces.
  if (!tree || !fresh || tree.dataset.tree !== fresh.dataset.tree) return;
  let next: Element | null = null;
  for (const row of [...fresh.children].reverse()) {
    const item = itemIn(row);
    const place = item && treeItemOf(item);
    if (!place) continue;
    const known = itemOf(place)?.parentElement;
    if (!known) {
      prepareItem(item);
      item.ariaExpanded = "false";
      item.removeAttribute("aria-current");
      tree.insertBefore(row, next);
    }
    next = known ?? row;
  }
  if (!next) return;
  tree.hidden = false;
  document.querySelector("[data-no-bases]")?.remove();
}

/** The row that stands for a document: its own, or that of the folder whose index page it is. */
export const rowOfDocument = (id: string): HTMLElement | undefined =>
  root()?.querySelector<HTMLElement>(`[role=treeitem][data-page="${CSS.escape(id)}"]`) ??
  itemOf({ kind: "document", id });

export const itemOf = (place: Pick<TreeItem, "kind" | "id">): HTMLElement | undefined => find(keyOf(place));

/** Opens the items that were open, and the path to this page. */
export async function openKept(tree: HTMLElement): Promise<void> {
  const kept = openKeys();
  for (const item of items(tree)) {
    const place = treeItemOf(item);
    if (!isContainer(place)) continue;
    if (item.ariaExpanded === "true" || kept.has(keyOf(place))) rememberOpen(keyOf(place), true);
    item.ariaExpanded ??= "false";
  }
  const opened = openKeys();
  for (const item of items(tree).filter((item) => item.ariaLevel === "1"))
    if (opened.has(keyOf(treeItemOf(item)!))) await open(item);
  const here = tree.querySelector<HTMLElement>("[aria-current=page]") ?? items(tree)[0];
  if (here) here.tabIndex = 0;
  if (here) reveal(here);
}

/** Scrolls the tree alone; `scrollIntoView` would also move where the Tab key begins. */
function reveal(item: HTMLElement): void {
  const frame = item.closest(".side-scroll");
  const below = item.getBoundingClientRect().bottom - (frame?.getBoundingClientRect().bottom ?? 0) + 32;
  if (frame && below > 0) frame.scrollTop += below;
}
