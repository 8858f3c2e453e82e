import { mayWriteAt } from "../common/api.ts";
import { keyOf, type Movable, treeItemOf } from "./tree-item.ts";

/** Dispatched on the document when the selection changes. */
export const CHOSEN = "svc-chosen";

/** The selected items by key, in the tree and in a folder's list alike. */
const chosen = new Map<string, Movable>();
let anchor: HTMLElement | undefined;

export const selected = (): Movable[] => [...chosen.values()];
export const isSelected = (place: Pick<Movable, "kind" | "id">): boolean => chosen.has(keyOf(place));

/** Knowledge bases cannot be moved. */
function movable(holder: HTMLElement): Movable | undefined {
  const place = treeItemOf(holder);
  return place && place.kind !== "base" && mayWriteAt(holder) ? place : undefined;
}

export function choose(holder: HTMLElement, isChosen?: boolean): void {
  const place = movable(holder);
  if (!place) return;
  const key = keyOf(place);
  if (isChosen ?? !chosen.has(key)) chosen.set(key, place);
  else chosen.delete(key);
  anchor = holder;
  paint();
}

/** Selects everything between the last selected item and this one. */
export function chooseTo(holder: HTMLElement, among: readonly HTMLElement[]): void {
  const [from, to] = [anchor ? among.indexOf(anchor) : -1, among.indexOf(holder)];
  const range = from < 0 ? [holder] : among.slice(Math.min(from, to), Math.max(from, to) + 1);
  const before = anchor;
  for (const one of range) choose(one, true);
  if (from >= 0) anchor = before;
}

export function clearSelection(): void {
  chosen.clear();
  anchor = undefined;
  paint();
}

/** Shows the selection wherever its items appear. */
export function paint(): void {
  for (const holder of document.querySelectorAll<HTMLElement>("[data-kind][data-id]")) {
    const place = treeItemOf(holder);
    const isChosen = place !== undefined && chosen.has(keyOf(place));
    if (holder instanceof HTMLInputElement) holder.checked = isChosen;
    else if (holder.role === "treeitem" && isChosen) holder.ariaSelected = "true";
    else holder.removeAttribute("aria-selected");
  }
  document.dispatchEvent(new Event(CHOSEN));
}
