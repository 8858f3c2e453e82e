import { defined } from "@svc/document/defined";
import type { Grid } from "./grid.ts";
import type { CellPosition } from "./selection.ts";

type TextOf = (row: number, column: number) => string;

/** The cells that contain the words in one of these texts, row by row, without filtered rows. */
function matchesIn({ model, view }: Grid, words: string, texts: readonly TextOf[]): CellPosition[] {
  const wanted = words.toLowerCase();
  const isFound = (row: number, column: number) =>
    texts.some((text) => text(row, column).toLowerCase().includes(wanted));
  const columns = Array.from({ length: model.width }, (_, column) => column);
  const rows = view.rows.filter((row) => row < model.height);
  return rows.flatMap((row) =>
    columns.filter((column) => isFound(row, column)).map((column): CellPosition => ({ row, column })),
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

/** The cells whose result or formula contains the words. */
const matchesOf = (grid: Grid, words: string): CellPosition[] =>
  matchesIn(grid, words, [shownOf(grid), writtenOf(grid)]);

const isBehind = (one: CellPosition, other: CellPosition): boolean =>
  one.row === other.row ? one.column > other.column : one.row > other.row;

/** Goes to the next or previous matching cell, wrapping around; returns its number among all matches. */
function goToFound(grid: Grid, words: string, step: 1 | -1): string {
  const matches = words === "" ? [] : matchesOf(grid, words);
  if (matches.length === 0) return words === "" ? "" : "Not found";
  const { anchor } = grid.selection;
  const behind = matches.findIndex((place) => isBehind(place, anchor));
  const before = matches.findLastIndex((place) => isBehind(anchor, place));
  const index = step > 0 ? Math.max(0, behind) : before < 0 ? matches.length - 1 : before;
  const place = defined(matches[index]);
  grid.select({ anchor: place, head: place });
  return `${index + 1} of ${matches.length}`;
}

/** Characters with a special meaning in a regular expression. */
const SIGNS = /[\\^$.*+?()[\]{}|]/g;

/** Replaces every match in a text, ignoring case. */
const replaced = (text: string, words: string, instead: string): string =>
  text.replace(new RegExp(words.replace(SIGNS, "\\$&"), "gi"), () => instead);

/** Replaces the words in cells as one undo step. Results of formulas are not changed. */
function replaceIn(grid: Grid, matches: readonly CellPosition[], words: string, instead: string): void {
  const text = writtenOf(grid);
  grid.write(matches.map(({ row, column }) => ({ row, column, text: replaced(text(row, column), words, instead) })));
}

/** Replaces in the selected cell if it matches, then goes to the next match. */
function replaceOne(grid: Grid, words: string, instead: string): string {
  if (words === "") return "";
  const { anchor } = grid.selection;
  const isHere = ({ row, column }: CellPosition) => row === anchor.row && column === anchor.column;
  replaceIn(grid, matchesIn(grid, words, [writtenOf(grid)]).filter(isHere), words, instead);
  return goToFound(grid, words, 1);
}

function replaceAll(grid: Grid, words: string, instead: string): string {
  const matches = words === "" ? [] : matchesIn(grid, words, [writtenOf(grid)]);
  if (matches.length === 0) return words === "" ? "" : "Not found";
  replaceIn(grid, matches, words, instead);
  return matches.length === 1 ? "Replaced in 1 cell" : `Replaced in ${matches.length} cells`;
}

/** Binds the find field: Enter goes to the next match, Shift Enter to the previous; Ctrl+F focuses it. */
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
