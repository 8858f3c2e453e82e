import { element } from "./element.ts";
import { type Level, readLevel } from "./levels.ts";
import { addressOf, type Container, keyOf, type Place, placeOf } from "./place.ts";
import { attempt } from "./toast.ts";
import { arrange, itemIn, row, rowsOf, updateRow } from "./tree-rows.ts";

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

export function close(item: HTMLElement): void {
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

/** Opens what was open, and the way to this page. */
export async function openKept(tree: HTMLElement): Promise<void> {
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
