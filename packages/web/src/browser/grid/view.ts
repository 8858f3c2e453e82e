import { defined } from "@svc/document/defined";
import { columnName } from "@svc/document/sheet/reference";
import { SheetDate } from "@svc/document/sheet/value";
import { readTyped } from "@svc/document/sheet/workbook";
import { element } from "../islands/common/element.ts";
import { type Area, areaOf, type CellPosition, isIn, type Selection } from "./selection.ts";
import type { SheetModel } from "./sheet-model.ts";

/** Pixels; the stylesheet has the same. */
const ROW = 28;
const COLUMN = 128;
/** The width of the row numbers: min, and per digit with the space around it. The stylesheet gets it as a property. */
const MIN_HEAD_WIDTH = 48;
const DIGIT = 10;
const HEAD_SPACE = 16;
/** Rows and columns that are drawn beyond the window, so that scrolling shows no gap. */
const MARGIN = 4;
/** Empty ones behind the table, to go on writing. */
const SPARE_ROWS = 20;
const SPARE_COLUMNS = 3;
const LEAST_COLUMNS = 8;
/** How long changes by others are marked. */
const MARK_MS = 2500;

export interface Person {
  readonly name: string;
  readonly colour: number;
  readonly row: number;
  readonly column: number;
}

/** Draws the part of a sheet that is in the window. */
export class GridView {
  readonly grid: HTMLElement;
  readonly #body = element("div", { role: "rowgroup", class: "grid-rows" });
  readonly #model: () => SheetModel;
  /** Rows that are shown, by their place in the table. */
  rows: readonly number[] = [];
  columns = LEAST_COLUMNS;
  /** How wide the column of row numbers is. */
  #headWidth = MIN_HEAD_WIDTH;
  people: readonly Person[] = [];
  #selection: Selection = { anchor: { row: 0, column: 0 }, head: { row: 0, column: 0 } };
  readonly #marked = new Map<string, number>();
  #before = new Map<string, string>();

  constructor(grid: HTMLElement, model: () => SheetModel) {
    this.grid = grid;
    this.#model = model;
    grid.replaceChildren(this.#body);
    grid.addEventListener("scroll", () => this.#draw(), { passive: true });
    addEventListener("resize", () => this.#draw());
  }

  /** Reads the sheet again. `isShown` says which rows pass the filter. */
  refresh(isShown: (row: number) => boolean, marksChanges: boolean): void {
    const model = this.#model();
    const count = model.height;
    const rows: number[] = [];
    for (let row = 0; row < count; row++) if (isShown(row)) rows.push(row);
    for (let i = 0; i < SPARE_ROWS; i++) rows.push(count + i);
    this.rows = rows;
    this.columns = Math.max(LEAST_COLUMNS, model.width + SPARE_COLUMNS);
    this.#headWidth = Math.max(MIN_HEAD_WIDTH, HEAD_SPACE + DIGIT * String(count + SPARE_ROWS).length);
    this.grid.style.setProperty("--grid-head", `${this.#headWidth}px`);
    this.grid.setAttribute("aria-rowcount", String(rows.length + 1));
    this.grid.setAttribute("aria-colcount", String(this.columns + 1));
    this.#body.style.height = `${(rows.length + 1) * ROW}px`;
    this.#body.style.width = `${this.#headWidth + this.columns * COLUMN}px`;
    if (marksChanges) this.#markChanges();
    this.#draw();
  }

  select(selection: Selection, scrolls = true): void {
    this.#selection = selection;
    if (scrolls) this.#scrollTo(selection.head);
    this.#draw();
    this.grid.setAttribute("aria-activedescendant", cellName(selection.anchor));
  }

  /** Marks visible cells whose text changed since they were drawn. */
  #markChanges(): void {
    const model = this.#model();
    for (const [key, text] of this.#before) {
      const [row = 0, column = 0] = key.split(":").map(Number);
      if (model.shown(row, column) !== text) this.#marked.set(key, performance.now() + MARK_MS);
    }
    if (this.#marked.size > 0) setTimeout(() => this.#draw(), MARK_MS + 50);
  }

  /** The first row is a header that stays in sight. */
  get #hasHeader(): boolean {
    const { source, height } = this.#model();
    return source.hasHeader && height > 0;
  }

  /** The position of a cell in pixels within the scrolled part. */
  place({ row, column }: CellPosition): { readonly left: number; readonly top: number } {
    const from = column < this.#model().frozen ? this.grid.scrollLeft : 0;
    // A filtered row has no position; the first row's is used.
    const index = Math.max(0, this.rows.indexOf(row));
    const above = index === 0 && this.#hasHeader ? this.grid.scrollTop : index * ROW;
    return { left: from + this.#headWidth + column * COLUMN, top: ROW + above };
  }

  #scrollTo(cell: CellPosition): void {
    const { left, top } = this.place(cell);
    const { grid } = this;
    const isHeader = cell.row === 0 && this.#hasHeader;
    const covered = this.#hasHeader ? 2 * ROW : ROW;
    if (!isHeader && top < grid.scrollTop + covered) grid.scrollTop = top - covered;
    else if (top + ROW > grid.scrollTop + grid.clientHeight) grid.scrollTop = top + ROW - grid.clientHeight;
    const { frozen } = this.#model();
    if (cell.column < frozen) return;
    const fixed = this.#headWidth + frozen * COLUMN;
    if (left < grid.scrollLeft + fixed) grid.scrollLeft = left - fixed;
    else if (left + COLUMN > grid.scrollLeft + grid.clientWidth) grid.scrollLeft = left + COLUMN - grid.clientWidth;
  }

  #draw(): void {
    const { grid } = this;
    const first = Math.max(0, Math.floor(grid.scrollTop / ROW) - MARGIN);
    const last = Math.min(this.rows.length, Math.ceil((grid.scrollTop + grid.clientHeight) / ROW) + MARGIN);
    const left = Math.max(0, Math.floor((grid.scrollLeft - this.#headWidth) / COLUMN) - MARGIN);
    const right = Math.min(this.columns, Math.ceil((grid.scrollLeft + grid.clientWidth) / COLUMN) + MARGIN);
    const now = performance.now();
    for (const [key, until] of this.#marked) if (until < now) this.#marked.delete(key);
    this.#before = new Map();
    const area = areaOf(this.#selection);
    const lines = [this.#head(left, right, area)];
    const drawn = new Set<number>();
    // The row with the keyboard focus stays, or its name would refer to nothing.
    const active = this.rows.indexOf(this.#selection.anchor.row);
    for (let index = first; index < last; index++) drawn.add(index);
    if (active >= 0) drawn.add(active);
    if (this.#hasHeader) drawn.add(0);
    for (const index of [...drawn].sort((a, b) => a - b)) lines.push(this.#line(index, left, right, area));
    this.#body.replaceChildren(...lines);
  }

  #head(left: number, right: number, area: Area): HTMLElement {
    const line = element("div", { role: "row", class: "grid-row grid-head", "aria-rowindex": 1 });
    line.append(element("span", { role: "columnheader", class: "grid-corner", "aria-colindex": 1 }, "#"));
    for (const column of this.#columns(left, right)) {
      const isIn = column >= area.left && column <= area.right;
      const { type } = this.#model().column(column);
      const head = element(
        "span",
        {
          role: "columnheader",
          class: `grid-column${isIn ? " is-in" : ""}${this.#frozenClass(column)}`,
          "aria-colindex": column + 2,
          "data-column": column,
        },
        columnName(column),
      );
      if (type !== "auto") head.append(element("span", { class: "grid-type" }, typeSigns[type] ?? ""));
      head.style.left = `${this.#headWidth + column * COLUMN}px`;
      line.append(head);
    }
    return line;
  }

  /** Columns that stay in sight come first: they stand in the line, the others over it. */
  #columns(left: number, right: number): number[] {
    const { frozen } = this.#model();
    const drawn = Array.from({ length: right - left }, (_, i) => left + i).filter((column) => column >= frozen);
    return [...Array.from({ length: frozen }, (_, column) => column), ...drawn];
  }

  #frozenClass(column: number): string {
    const { frozen } = this.#model();
    if (column >= frozen) return "";
    return column === frozen - 1 ? " is-frozen is-last-frozen" : " is-frozen";
  }

  #line(index: number, left: number, right: number, area: Area): HTMLElement {
    const row = defined(this.rows[index]);
    const isIn = row >= area.top && row <= area.bottom;
    const isFirst = index === 0 && this.#hasHeader;
    const kind = isFirst ? "grid-row grid-first" : "grid-row";
    const line = element("div", { role: "row", class: kind, "aria-rowindex": index + 2 });
    if (!isFirst) line.style.top = `${(index + 1) * ROW}px`;
    line.append(
      element(
        "span",
        { role: "rowheader", class: `grid-number${isIn ? " is-in" : ""}`, "aria-colindex": 1, "data-row": row },
        String(row + 1),
      ),
    );
    const columns = new Set(this.#columns(left, right));
    if (row === this.#selection.anchor.row) columns.add(this.#selection.anchor.column);
    for (const column of columns) line.append(this.#cell(row, column, area));
    return line;
  }

  #cell(row: number, column: number, area: Area): HTMLElement {
    const model = this.#model();
    const text = model.shown(row, column);
    const key = `${row}:${column}`;
    this.#before.set(key, text);
    const { anchor } = this.#selection;
    const isActive = anchor.row === row && anchor.column === column;
    const isHeader = row === 0 && model.source.hasHeader && row < model.height;
    const kinds = ["grid-cell", ...kindsOf(model, row, column, model.plain(row, column), isHeader)];
    if (isIn(area, row, column)) kinds.push("is-in");
    if (isActive) kinds.push("is-active");
    if (row === area.bottom && column === area.right) kinds.push("is-corner");
    if (this.#marked.has(key)) kinds.push("is-marked");
    const cell = element("span", {
      role: "gridcell",
      id: isActive ? cellName({ row, column }) : undefined,
      class: kinds.join(" ") + this.#frozenClass(column),
      "aria-colindex": column + 2,
      "aria-selected": isIn(area, row, column) ? "true" : undefined,
      "data-row": row,
      "data-column": column,
      dir: "auto",
    });
    cell.textContent = kinds.includes("is-check") ? (text === "TRUE" ? "☑" : "☐") : text;
    if (kinds.includes("is-check")) cell.setAttribute("aria-label", text === "TRUE" ? "Checked" : "Not checked");
    const person = this.people.find((one) => one.row === row && one.column === column);
    if (person) {
      cell.classList.add("has-person", `caret-${person.colour}`);
      cell.title = person.name;
    }
    cell.style.left = `${this.#headWidth + column * COLUMN}px`;
    return cell;
  }
}

/** One name at a time: that of the cell where the keyboard is. */
const cellName = ({ row, column }: CellPosition): string => `cell-${row}-${column}`;

const typeSigns: Readonly<Record<string, string>> = { text: "T", number: "#", date: "D", check: "☑", choice: "▾" };

function kindsOf(model: SheetModel, row: number, column: number, text: string, isHeader: boolean): string[] {
  if (isHeader) return ["is-header"];
  const { type, choices } = model.column(column);
  const isFormula = model.height > 0 && model.book.isFormula(model.sheet, row, column);
  if (type === "check" && row < model.height && (text === "" || text === "TRUE" || text === "FALSE"))
    return ["is-check"];
  if (text === "") return [];
  const value = isFormula ? model.book.value(model.sheet, row, column) : readTyped(text, type);
  const kinds: string[] = [];
  if (typeof value === "number" || value instanceof SheetDate) kinds.push("is-number");
  if (value instanceof Error) kinds.push("is-error");
  const isOdd =
    !isFormula &&
    ((type === "number" && typeof value !== "number") ||
      (type === "date" && !(value instanceof SheetDate)) ||
      (type === "check" && typeof value !== "boolean") ||
      (type === "choice" && choices.length > 0 && !choices.includes(text)));
  if (isOdd) kinds.push("is-odd");
  return kinds;
}
