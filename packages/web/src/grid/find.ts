import { defined } from "@svc/document/defined";
import type { Grid } from "./grid.ts";
import type { Place } from "./selection.ts";

/** The cells whose shown text, or whose formula, has the words in it, row by row; rows that a filter hides are left out. */
function placesOf({ model, view }: Grid, words: string): Place[] {
  const wanted = words.toLowerCase();
  const has = (text: string) => text.toLowerCase().includes(wanted);
  const isFound = (row: number, column: number) => has(model.shown(row, column)) || has(model.text(row, column));
  const columns = Array.from({ length: model.width }, (_, column) => column);
  const rows = view.rows.filter((row) => row < model.height);
  return rows.flatMap((row) =>
    columns.filter((column) => isFound(row, column)).map((column): Place => ({ row, column })),
  );
}

const isBehind = (one: Place, other: Place): boolean =>
  one.row === other.row ? one.column > other.column : one.row > other.row;

/** Goes to the next cell with these words, or the previous one, round and round; tells which of how many it is. */
function goToFound(grid: Grid, words: string, step: 1 | -1): string {
  const places = words === "" ? [] : placesOf(grid, words);
  if (places.length === 0) return words === "" ? "" : "Not found";
  const { anchor } = grid.selection;
  const behind = places.findIndex((place) => isBehind(place, anchor));
  const before = places.findLastIndex((place) => isBehind(anchor, place));
  const index = step > 0 ? Math.max(0, behind) : before < 0 ? places.length - 1 : before;
  const place = defined(places[index]);
  grid.select({ anchor: place, head: place });
  return `${index + 1} of ${places.length}`;
}

/** A field that goes through what it finds by Enter, and with Shift back; Ctrl+F in the grid leads to it. */
export function bindFind(grid: Grid, bar: HTMLElement): void {
  const field = defined(bar.querySelector<HTMLInputElement>('[name="find"]'));
  const found = defined(bar.querySelector('[data-grid-part="found"]'));
  field.addEventListener("input", () => found.replaceChildren());
  field.addEventListener("keydown", (event) => {
    if (event.isComposing || (event.key !== "Enter" && event.key !== "Escape")) return;
    event.preventDefault();
    if (event.key === "Escape") grid.view.grid.focus();
    else found.replaceChildren(goToFound(grid, field.value.trim(), event.shiftKey ? -1 : 1));
  });
  grid.view.grid.addEventListener("keydown", (event) => {
    if (event.target !== grid.view.grid || !(event.ctrlKey || event.metaKey) || event.key !== "f") return;
    event.preventDefault();
    field.select();
  });
}
