import { defined } from "@svc/document/defined";
import type { Grid } from "./grid.ts";
import type { Place } from "./selection.ts";

type TextOf = (row: number, column: number) => string;

/** The cells that have the words in one of these texts, row by row; rows that a filter hides are left out. */
function placesIn({ model, view }: Grid, words: string, texts: readonly TextOf[]): Place[] {
  const wanted = words.toLowerCase();
  const isFound = (row: number, column: number) =>
    texts.some((text) => text(row, column).toLowerCase().includes(wanted));
  const columns = Array.from({ length: model.width }, (_, column) => column);
  const rows = view.rows.filter((row) => row < model.height);
  return rows.flatMap((row) =>
    columns.filter((column) => isFound(row, column)).map((column): Place => ({ row, column })),
  );
}

const shownOf =
  ({ model }: Grid): TextOf =>
  (row, column) =>
    model.shown(row, column);
const writtenOf =
  ({ model }: Grid): TextOf =>
  (row, column) =>
    model.text(row, column);

/** The cells whose shown text, or whose formula, has the words in it. */
const placesOf = (grid: Grid, words: string): Place[] => placesIn(grid, words, [shownOf(grid), writtenOf(grid)]);

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

/** What means something else than itself in a regular expression. */
const SIGNS = /[\\^$.*+?()[\]{}|]/g;

/** The text with every place of the words, in capitals or not, as something else. */
const replaced = (text: string, words: string, instead: string): string =>
  text.replace(new RegExp(words.replace(SIGNS, "\\$&"), "gi"), () => instead);

/** Writes something else for the words in cells, as one step of undo. What a formula results in is not written there. */
function replaceIn(grid: Grid, places: readonly Place[], words: string, instead: string): void {
  const text = writtenOf(grid);
  grid.write(places.map(({ row, column }) => ({ row, column, text: replaced(text(row, column), words, instead) })));
}

/** In the selected cell, if it has the words; then goes to the next one that has them. */
function replaceOne(grid: Grid, words: string, instead: string): string {
  if (words === "") return "";
  const { anchor } = grid.selection;
  const isHere = ({ row, column }: Place) => row === anchor.row && column === anchor.column;
  replaceIn(grid, placesIn(grid, words, [writtenOf(grid)]).filter(isHere), words, instead);
  return goToFound(grid, words, 1);
}

function replaceAll(grid: Grid, words: string, instead: string): string {
  const places = words === "" ? [] : placesIn(grid, words, [writtenOf(grid)]);
  if (places.length === 0) return words === "" ? "" : "Not found";
  replaceIn(grid, places, words, instead);
  return places.length === 1 ? "Replaced in 1 cell" : `Replaced in ${places.length} cells`;
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
  const instead = defined(bar.querySelector<HTMLInputElement>('[name="replace"]'));
  const run = (how: typeof replaceOne) => found.replaceChildren(how(grid, field.value.trim(), instead.value));
  bar.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>("[data-replace]") : null;
    if (button) run(button.dataset.replace === "all" ? replaceAll : replaceOne);
  });
  instead.addEventListener("keydown", (event) => {
    if (event.isComposing || (event.key !== "Enter" && event.key !== "Escape")) return;
    event.preventDefault();
    if (event.key === "Escape") grid.view.grid.focus();
    else run(replaceOne);
  });
  grid.view.grid.addEventListener("keydown", (event) => {
    if (event.target !== grid.view.grid || !(event.ctrlKey || event.metaKey) || event.key !== "f") return;
    event.preventDefault();
    field.select();
  });
}
