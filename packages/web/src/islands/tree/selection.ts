import { mayWriteAt } from "../common/api.ts";
import { keyOf, type Movable, placeOf } from "./place.ts";

/** Told on the document whenever something else is chosen. */
export const CHOSEN = "svc-chosen";

/** What is chosen, in the tree and in the list of a folder alike, by its key. */
const chosen = new Map<string, Movable>();
let anchor: HTMLElement | undefined;

export const selected = (): Movable[] => [...chosen.values()];
export const isSelected = (place: Pick<Movable, "kind" | "id">): boolean => chosen.has(keyOf(place));

/** Knowledge bases are moved by nobody. */
function movable(holder: HTMLElement): Movable | undefined {
  const place = placeOf(holder);
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

/** Everything between the last one that was chosen and this one. */
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

/** Shows what is chosen wherever it stands. */
export function paint(): void {
  for (const holder of document.querySelectorAll<HTMLElement>("[data-kind][data-id]")) {
    const place = placeOf(holder);
    const isChosen = place !== undefined && chosen.has(keyOf(place));
    if (holder instanceof HTMLInputElement) holder.checked = isChosen;
    else if (holder.role === "treeitem" && isChosen) holder.ariaSelected = "true";
    else holder.removeAttribute("aria-selected");
  }
  document.dispatchEvent(new Event(CHOSEN));
}
