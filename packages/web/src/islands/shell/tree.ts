import { startDragging } from "./drag.ts";
import { element } from "./element.ts";
import { type Level, readLevel } from "./levels.ts";
import { addressOf, type Container, keyOf, type Place, placeOf } from "./place.ts";
import { discardFromTree, openPlaceMenu, renameInTree } from "./place-actions.ts";
import { attempt } from "./toast.ts";
import { arrange, itemIn, row, rowsOf, updateRow } from "./tree-rows.ts";

/** The tree of the sidebar: the server brings the knowledge bases and the way to this page, the rest is asked for. */
const root = (): HTMLElement | null => document.querySelector("[data-tree]");

const items = (within: ParentNode): HTMLElement[] => [...within.querySelectorAll<HTMLElement>('[role="treeitem"]')];
const visibleItems = (): HTMLElement[] => {
  const tree = root();
  return tree ? items(tree).filter((item) => item.offsetParent !== null) : [];
};

const groupOf = (item: HTMLElement): HTMLElement | undefined =>
  item.parentElement?.querySelector<HTMLElement>(":scope > [role=group]") ?? undefined;
const parentOf = (item: HTMLElement): HTMLElement | undefined =>
  item.closest("[role=group]")?.parentElement?.querySelector<HTMLElement>(":scope > [role=treeitem]") ?? undefined;

const isContainer = (place: Place | undefined): place is Container => place !== undefined && place.kind !== "document";

/** What was open stays open on the next page, in this browser. */
const storeName = (): string => `svc-open:${root()?.dataset.tree ?? ""}`;
const openKeys = (): Set<string> => new Set(JSON.parse(localStorage.getItem(storeName()) ?? "[]") as string[]);
function rememberOpen(key: string, isOpen: boolean): void {
  const keys = openKeys();
  if (isOpen) keys.add(key);
  else keys.delete(key);
  localStorage.setItem(storeName(), JSON.stringify([...keys].slice(-500)));
}

const levelOf = (item: HTMLElement): number => Number(item.getAttribute("aria-level") ?? 1);

/** The last row of a level that has more than is shown. */
function restRow(group: HTMLElement, at: Container, level: number, next: string): HTMLElement {
  const more = element(
    "a",
    { class: "tree-item tree-show-more", role: "treeitem", tabindex: -1, href: addressOf(at), "aria-level": level },
    "Show more",
  );
  more.style.setProperty("--level", String(level));
  more.addEventListener("click", (event) => {
    event.preventDefault();
    attempt(async () => {
      const { children, next: after } = await readLevel(at, next);
      await show(group, at, level, { children, next: after }, [...rowsOf(group).values()]);
    });
  });
  return element("li", { role: "none", class: "tree-rest" }, more);
}

async function show(
  group: HTMLElement,
  at: Container,
  level: number,
  { children, next }: Level,
  before: readonly HTMLElement[] = [],
): Promise<void> {
  const known = rowsOf(group);
  const rows = children.map((child) => {
    const old = known.get(keyOf(child));
    return old ? updateRow(old, child) : row(child, level);
  });
  const shown = new Set([...before.filter((old) => !rows.includes(old)), ...rows]);
  if (next !== null) for (const old of known.values()) if (isWay(old)) shown.add(old);
  arrange(group, [...shown, ...(next === null ? [] : [restRow(group, at, level, next)])]);
  const keys = openKeys();
  for (const item of rows.flatMap((made) => itemIn(made) ?? [])) {
    const inside = placeOf(item);
    const isRead = groupOf(item)?.dataset.read !== undefined;
    if (inside && keys.has(keyOf(inside)) && item.ariaExpanded !== null && !isRead) await open(item);
  }
}

/** A row that leads to this page stays, however far down its level it belongs. */
const isWay = (li: HTMLElement): boolean => li.querySelector("[aria-current=page]") !== null;

/** As much of a level as was shown before. */
async function readShown(at: Container, count: number): Promise<Level> {
  let level = await readLevel(at);
  while (level.next !== null && level.children.length < count) {
    const more = await readLevel(at, level.next);
    level = { children: [...level.children, ...more.children], next: more.next };
  }
  return level;
}

export async function open(item: HTMLElement): Promise<void> {
  const place = placeOf(item);
  if (!isContainer(place)) return;
  item.ariaExpanded = "true";
  rememberOpen(keyOf(place), true);
  await load(item, place);
}

/** Reads the level below an item anew; what is shown stays until it is there. */
async function load(item: HTMLElement, place: Container): Promise<void> {
  const level = await readShown(place, groupOf(item)?.childElementCount ?? 0);
  if (level.children.length === 0) {
    groupOf(item)?.remove();
    if (place.kind === "folder") item.removeAttribute("aria-expanded");
    return;
  }
  const group = groupOf(item) ?? element("ul", { role: "group" });
  group.dataset.read = "";
  item.ariaExpanded = "true";
  if (!group.isConnected) item.parentElement?.append(group);
  await show(group, place, levelOf(item) + 1, level);
}

function close(item: HTMLElement): void {
  const place = placeOf(item);
  item.ariaExpanded = "false";
  groupOf(item)?.remove();
  if (place) rememberOpen(keyOf(place), false);
}

const find = (key: string): HTMLElement | undefined => {
  const tree = root();
  return tree
    ? items(tree).find((item) => item.dataset.kind !== undefined && keyOf(placeOf(item)!) === key)
    : undefined;
};

/** Shows what a container holds now, after something was made, moved or deleted in it. */
export async function refresh(at: Pick<Container, "kind" | "id">): Promise<void> {
  const item = find(keyOf(at));
  const place = item && placeOf(item);
  if (!item || !isContainer(place)) return;
  if (groupOf(item) || item.ariaExpanded === "true") await load(item, place);
  else item.ariaExpanded = "false";
}

export const itemOf = (place: Pick<Place, "kind" | "id">): HTMLElement | undefined => find(keyOf(place));

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
  F2: (item) => renameInTree(item),
  Delete: (item) => void discardFromTree(item),
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
  const item = (event.target as HTMLElement).closest<HTMLElement>("[role=treeitem]");
  if (!item || (event.target as HTMLElement).matches("input") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "ContextMenu" || (event.shiftKey && event.key === "F10")) {
    event.preventDefault();
    openPlaceMenu(item, item.getBoundingClientRect());
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
  const target = event.target as HTMLElement;
  const item = target.closest<HTMLElement>("[role=treeitem]");
  if (!item) return;
  if (target.matches(".tree-more")) {
    event.preventDefault();
    openPlaceMenu(item, target.getBoundingClientRect());
  } else if (target.matches(".tree-twisty") && item.ariaExpanded !== null) {
    event.preventDefault();
    if (item.ariaExpanded === "true") close(item);
    else attempt(() => open(item));
  }
}

/** Opens what was open, and the way to this page. */
async function openKept(tree: HTMLElement): Promise<void> {
  const kept = openKeys();
  for (const item of items(tree)) {
    const place = placeOf(item);
    if (!isContainer(place)) continue;
    if (item.ariaExpanded === "true" || kept.has(keyOf(place))) rememberOpen(keyOf(place), true);
    item.ariaExpanded ??= "false";
  }
  const opened = openKeys();
  for (const item of items(tree).filter((item) => levelOf(item) === 1))
    if (opened.has(keyOf(placeOf(item)!))) await open(item);
  const here = tree.querySelector<HTMLElement>("[aria-current=page]") ?? items(tree)[0];
  if (here) here.tabIndex = 0;
  if (here) reveal(here);
}

/** Scrolls the sidebar alone; `scrollIntoView` would also move where the Tab key begins. */
function reveal(item: HTMLElement): void {
  const side = item.closest(".side");
  const below = item.getBoundingClientRect().bottom - (side?.getBoundingClientRect().bottom ?? 0) + 64;
  if (side && below > 0) side.scrollTop += below;
}

export async function startTree(): Promise<void> {
  const tree = root();
  if (!tree) return;
  for (const item of items(tree)) {
    item.tabIndex = -1;
    item.append(element("span", { class: "tree-more", "aria-hidden": "true", title: "Actions" }, "⋯"));
  }
  tree.addEventListener("keydown", onKey);
  tree.addEventListener("click", onClick);
  tree.addEventListener("contextmenu", (event) => {
    const item = (event.target as HTMLElement).closest<HTMLElement>("[role=treeitem]");
    if (!item?.dataset.kind) return;
    event.preventDefault();
    openPlaceMenu(item, new DOMRect(event.clientX, event.clientY, 0, 0));
  });
  startDragging(tree);
  await attempt(() => openKept(tree));
}
