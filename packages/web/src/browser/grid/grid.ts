import { defined } from "@svc/document/defined";
import { conditionOf } from "@svc/document/sheet/functions/criteria";
import type { LiveState } from "@svc/live/live-state";
import { toast } from "../islands/common/toast.ts";
import { CellEditor, type Step } from "./cell-editor.ts";
import { readClipboard, spread, writeClipboard } from "./clipboard.ts";
import { continueDown, fillBlock } from "./fill.ts";
import { Follower, type Layout } from "./follow.ts";
import { isOnHandle, Presses, type Target, targetOf, whileDragged } from "./press.ts";
import { type Area, areaOf, at, type CellPosition, clamp, jump, type Selection } from "./selection.ts";
import { type Cause, type CellChange, SheetModel } from "./sheet-model.ts";
import { sortedOrder } from "./sort-rows.ts";
import { GridView, type Person } from "./view.ts";

interface GridEvents {
  /** The selection or the sheet has changed. */
  readonly onShow: () => void;
  readonly mayWrite: () => boolean;
}

const steps: Readonly<Record<string, CellPosition>> = {
  ArrowUp: { row: -1, column: 0 },
  ArrowDown: { row: 1, column: 0 },
  ArrowLeft: { row: 0, column: -1 },
  ArrowRight: { row: 0, column: 1 },
};

/** Rows that Page Up and Page Down move. */
const PAGE = 15;

/** The grid: the selection in the shown sheet, and its keys, mouse and clipboard. */
export class Grid {
  model: SheetModel;
  readonly view: GridView;
  readonly #editor: CellEditor;
  readonly #events: GridEvents;
  #selection: Selection = at(0, 0);
  /** The start of a run of Tabs: Enter goes below it. */
  #tabStart: CellPosition | undefined;
  readonly #presses = new Presses();
  /** The sheet's layout that the positions here refer to. */
  #layout: Layout;
  /** The filters by column; local and not saved. */
  readonly filters = new Map<number, string>();
  /** True if a file has replaced the sheets since the first undo step. */
  #isFromFile = false;
  /** The cell that is edited above the grid; undefined if it is gone. */
  formulaCell: CellPosition | undefined;

  constructor(host: HTMLElement, live: LiveState, events: GridEvents) {
    this.#events = events;
    this.model = this.#modelOf(live);
    this.#layout = this.model.layout;
    this.view = new GridView(host, () => this.model);
    this.#editor = new CellEditor(host, this.#written, () => host.focus());
    host.addEventListener("keydown", this.#key);
    host.addEventListener("pointerdown", this.#pressed);
    host.addEventListener("dblclick", this.#doubled);
    for (const type of ["copy", "cut", "paste"] as const) host.addEventListener(type, this.#clipboard);
    this.refresh(false);
    this.select(at(0, 0));
  }

  #modelOf(live: LiveState): SheetModel {
    return new SheetModel(live, (cause) => this.#changed(cause));
  }

  /** The live state was made again. */
  follow(live: LiveState): void {
    const { tableId } = this.model;
    this.model.destroy();
    this.model = this.#modelOf(live);
    this.model.tableId = tableId;
    this.#changed("other");
  }

  /**
   * The person's own changes leave the selection where it is, so a new row becomes selected. After other changes it
   * moves along with its cells.
   */
  #changed(cause: Cause): void {
    const before = this.#layout;
    this.#layout = this.model.layout;
    const follower = new Follower(before, this.#layout);
    if (follower.isElsewhere) this.filters.clear();
    else this.#followFilters(follower);
    this.refresh(cause === "other");
    if (follower.isElsewhere) this.select(at(0, 0));
    else if (cause === "other" || (cause === "undo" && follower.keepsOrder)) this.#followSelection(follower);
    this.#followWriting(follower);
  }

  #followFilters(follower: Follower): void {
    const filters = [...this.filters];
    this.filters.clear();
    for (const [column, text] of filters) {
      const now = follower.column(column);
      if (now !== undefined) this.filters.set(now, text);
    }
  }

  #followSelection(follower: Follower): void {
    const { anchor, head } = follower.selection(this.#selection);
    const tabStart = this.#tabStart && follower.cell(this.#tabStart);
    const isStill = isSame(anchor, this.#selection.anchor) && isSame(head, this.#selection.head);
    if (!isStill) this.select({ anchor, head }, false);
    this.#tabStart = tabStart;
  }

  /** Typed text stays in its cell. If the cell is gone, the text is not written but shown once more. */
  #followWriting(follower: Follower): void {
    this.formulaCell &&= follower.cell(this.formulaCell);
    if (!this.#editor.place) return;
    const place = follower.cell(this.#editor.place);
    if (!place) reportLostText(this.#editor.drop());
    else this.#editor.moveTo({ place, ...this.view.place(place) });
  }

  /** A file replaced the sheets: undo starts after it. */
  beginAfterFile(): void {
    this.model.forgetSteps();
    this.#isFromFile = true;
  }

  undo(): void {
    if (!this.model.undo() && this.#isFromFile)
      toast("Undo cannot go back before the import. Versions has the earlier content.");
  }

  refresh(marksChanges: boolean): void {
    this.view.refresh((row) => this.#isShown(row), marksChanges);
    this.#events.onShow();
  }

  get selection(): Selection {
    return this.#selection;
  }

  get area(): Area {
    return areaOf(this.#selection);
  }

  select(selection: Selection, scrolls = true): void {
    this.#tabStart = undefined;
    const size = { rows: (this.view.rows.at(-1) ?? 0) + 1, columns: this.view.columns };
    this.#selection = { anchor: clamp(selection.anchor, size), head: clamp(selection.head, size) };
    this.view.select(this.#selection, scrolls);
    this.#events.onShow();
  }

  set people(people: readonly Person[]) {
    this.view.people = people;
    this.view.select(this.#selection, false);
  }

  showSheet(id: string): void {
    this.model.tableId = id;
    this.#layout = this.model.layout;
    this.filters.clear();
    this.refresh(false);
    this.select(at(0, 0));
  }

  filter(column: number, text: string): void {
    if (text === "") this.filters.delete(column);
    else this.filters.set(column, text);
    this.refresh(false);
    this.select(at(this.view.rows[1] ?? 0, column));
  }

  /** Shows the header, and rows that pass every filter: part of the text, or a condition such as `>5`. */
  #isShown(row: number): boolean {
    if (this.filters.size === 0 || (row === 0 && this.model.source.hasHeader)) return true;
    return [...this.filters].every(([column, text]) => {
      if (/^[<>=]/.test(text)) return conditionOf(text)(this.model.book.value(this.model.sheet, row, column));
      return this.model.shown(row, column).toLowerCase().includes(text.toLowerCase());
    });
  }

  /** The shown rows of the selection. */
  #selectedRows(): number[] {
    const { top, bottom } = this.area;
    return this.view.rows.filter((row) => row >= top && row <= bottom);
  }

  #texts(read: (row: number, column: number) => string): string[][] {
    const columns = this.#selectedColumns();
    return this.#selectedRows().map((row) => columns.map((column) => read(row, column)));
  }

  write(changes: readonly CellChange[]): void {
    if (this.#events.mayWrite()) this.model.setTexts(changes);
  }

  clear(): void {
    const columns = this.#selectedColumns();
    this.write(this.#selectedRows().flatMap((row) => columns.map((column) => ({ row, column, text: "" }))));
  }

  #selectedColumns(): number[] {
    const { left, right } = this.area;
    return Array.from({ length: right - left + 1 }, (_, i) => left + i);
  }

  readonly #read = (row: number, column: number): string => this.model.text(row, column);

  /** Fills the selection from its first row or column. */
  fill(along: "row" | "column"): void {
    this.write(fillBlock(this.#read, this.#selectedRows(), this.#selectedColumns(), along));
  }

  /** Continues the selected cells down to a row: numbers and days by their steps. */
  fillTo(last: number): void {
    const { right, bottom } = this.area;
    const rows = this.#selectedRows();
    const more = this.view.rows.filter((row) => row > bottom && row <= last);
    this.write(this.#selectedColumns().flatMap((column) => continueDown(this.#read, column, rows, more)));
    this.select({ anchor: this.#selection.anchor, head: { row: more.at(-1) ?? bottom, column: right } });
  }

  /** Sorts the rows below the header by the column of the selection. */
  sort(isFalling: boolean): void {
    if (!this.#events.mayWrite()) return;
    const { model } = this;
    const { column } = this.#selection.anchor;
    const from = model.source.hasHeader ? 1 : 0;
    const values = Array.from({ length: Math.max(0, model.height - from) }, (_, i) =>
      model.book.value(model.sheet, from + i, column),
    );
    model.orderRows(from, sortedOrder(values, isFalling));
  }

  edit(text?: string): void {
    const { anchor: place } = this.#selection;
    if (!this.#events.mayWrite() || this.#editor.isOpen) return;
    const { type, choices } = this.model.column(place.column);
    const isHeader = place.row === 0 && this.model.source.hasHeader;
    if (!isHeader && type === "check" && text === undefined) {
      this.#toggle(place);
      return;
    }
    this.view.select(at(place.row, place.column));
    this.#editor.open({
      place,
      text: text ?? this.model.text(place.row, place.column),
      choices: !isHeader && type === "choice" ? choices : undefined,
      byTyping: text !== undefined,
      ...this.view.place(place),
    });
  }

  #toggle({ row, column }: CellPosition): void {
    this.write([{ row, column, text: this.model.shown(row, column) === "TRUE" ? "FALSE" : "TRUE" }]);
  }

  readonly #written = (text: string, place: CellPosition, step: Step): void => {
    this.write([{ row: place.row, column: place.column, text }]);
    this.view.grid.focus();
    if (step === "next" || step === "previous") this.#tabTo(step === "next" ? 1 : -1);
    else if (step === "below") this.#goBelow();
    else if (step !== "stay") this.#move(stepOffsets[step], false);
  };

  #tabTo(by: 1 | -1): void {
    const start = this.#tabStart ?? this.#selection.anchor;
    this.#move({ row: 0, column: by }, false);
    this.#tabStart = start;
  }

  #goBelow(): void {
    const { anchor } = this.#selection;
    const { column } = this.#tabStart ?? anchor;
    this.#goTo({ row: this.#next(anchor, stepOffsets.down).row, column }, false);
  }

  /** The next shown row or column. */
  #next(from: CellPosition, { row, column }: CellPosition): CellPosition {
    const { rows } = this.view;
    const index = rows.indexOf(from.row);
    return { row: rows[Math.max(0, Math.min(rows.length - 1, index + row))] ?? from.row, column: from.column + column };
  }

  #move(step: CellPosition, extends_: boolean): void {
    const { anchor, head } = this.#selection;
    const to = this.#next(extends_ ? head : anchor, step);
    this.select(extends_ ? { anchor, head: to } : { anchor: to, head: to });
  }

  readonly #key = (event: KeyboardEvent): void => {
    if (this.#editor.isOpen || event.isComposing) return;
    const isCommand = event.ctrlKey || event.metaKey;
    if (isCommand ? this.#command(event) : this.#plain(event)) event.preventDefault();
  };

  #plain(event: KeyboardEvent): boolean {
    const { key, shiftKey } = event;
    const step = steps[key];
    if (step) this.#move(step, shiftKey);
    else if (key === "Tab") return this.#tab(shiftKey);
    else if (key === "Enter" || key === "F2") this.edit();
    else if (key === "Delete" || key === "Backspace") this.clear();
    else if (key === "PageDown" || key === "PageUp")
      this.#move({ row: key === "PageDown" ? PAGE : -PAGE, column: 0 }, shiftKey);
    else if (key === "Home" || key === "End")
      this.#goTo(
        { row: this.#selection.head.row, column: key === "Home" ? 0 : Math.max(0, this.model.width - 1) },
        shiftKey,
      );
    else if (key === " " && shiftKey)
      this.select({
        anchor: { row: this.#selection.anchor.row, column: 0 },
        head: { row: this.#selection.head.row, column: Math.max(0, this.model.width - 1) },
      });
    else if (key === " " && this.model.column(this.#selection.anchor.column).type === "check") this.edit();
    else if (key.length === 1 || key === "Process") {
      // The browser writes the key itself into the field that now has the focus.
      this.edit("");
      return false;
    } else return false;
    return true;
  }

  /** Tab moves through the cells of the table and leaves the grid after the last one, or before the first. */
  #tab(isBack: boolean): boolean {
    const { column } = this.#selection.anchor;
    const next = column + (isBack ? -1 : 1);
    if (next < 0 || next >= this.view.columns) return false;
    this.#tabTo(isBack ? -1 : 1);
    return true;
  }

  #command({ key, shiftKey }: KeyboardEvent): boolean {
    const step = steps[key];
    const { model } = this;
    switch (key.toLowerCase()) {
      case "z":
        if (this.#events.mayWrite() && shiftKey) model.redo();
        else if (this.#events.mayWrite()) this.undo();
        return true;
      case "y":
        if (this.#events.mayWrite()) model.redo();
        return true;
      case "d":
        this.fill("row");
        return true;
      case "r":
        this.fill("column");
        return true;
      case "a":
        this.select({
          anchor: { row: 0, column: 0 },
          head: { row: Math.max(0, model.height - 1), column: Math.max(0, model.width - 1) },
        });
        return true;
      case "home":
        this.#goTo({ row: 0, column: 0 }, shiftKey);
        this.view.grid.scrollTop = 0;
        return true;
      case "end":
        this.#goTo({ row: Math.max(0, model.height - 1), column: Math.max(0, model.width - 1) }, shiftKey);
        return true;
      case " ":
        this.select({
          anchor: { row: 0, column: this.#selection.anchor.column },
          head: { row: Math.max(0, model.height - 1), column: this.#selection.head.column },
        });
        return true;
    }
    if (!step) return false;
    const size = { rows: Math.max(1, model.height), columns: Math.max(1, model.width) };
    const from = shiftKey ? this.#selection.head : this.#selection.anchor;
    this.#goTo(
      jump(clamp(from, size), step, size, ({ row, column }) => model.text(row, column) !== ""),
      shiftKey,
    );
    return true;
  }

  #goTo(place: CellPosition, extends_: boolean): void {
    this.select(extends_ ? { anchor: this.#selection.anchor, head: place } : { anchor: place, head: place });
  }

  #selectionOf({ row, column }: Target, anchor: CellPosition | undefined): Selection {
    const [lastRow, lastColumn] = [Math.max(0, this.model.height - 1), Math.max(0, this.model.width - 1)];
    const head = { row: row ?? lastRow, column: column ?? lastColumn };
    return { anchor: anchor ?? { row: row ?? 0, column: column ?? 0 }, head };
  }

  readonly #pressed = (event: PointerEvent): void => {
    const place = targetOf(this.view.grid, event.target);
    if (!place || event.button !== 0) return;
    if (this.#editor.isOpen) this.#editor.commit("stay");
    const isHandle = isOnHandle(event);
    const isSecond = this.#presses.isSecond(event, place) && !isHandle;
    if (!isHandle) this.select(this.#selectionOf(place, event.shiftKey ? this.#selection.anchor : undefined));
    // Scrolling with a finger does not select.
    if (event.pointerType === "touch") return;
    event.preventDefault();
    this.view.grid.focus({ preventScroll: true });
    if (isHandle) this.#dragHandle(place.row ?? 0);
    else this.#dragSelection(place, isSecond);
  };

  #dragHandle(from: number): void {
    let last = from;
    whileDragged(
      this.view.grid,
      ({ row }) => {
        last = row ?? last;
      },
      () => {
        if (last > this.area.bottom) this.fillTo(last);
      },
    );
  }

  #dragSelection(from: Target, isSecond: boolean): void {
    const { anchor } = this.#selection;
    let isOnCell = true;
    whileDragged(
      this.view.grid,
      (over) => {
        const row = from.row === undefined ? undefined : over.row;
        const column = from.column === undefined ? undefined : over.column;
        isOnCell &&= row === from.row && column === from.column;
        this.select(this.#selectionOf({ row, column }, anchor));
      },
      () => {
        if (isSecond && isOnCell) this.edit();
      },
    );
  }

  /** Handles two taps; mouse presses are counted. */
  readonly #doubled = (event: MouseEvent): void => {
    const place = targetOf(this.view.grid, event.target);
    if (this.#presses.isTouch && place?.row !== undefined && place.column !== undefined) this.edit();
  };

  readonly #clipboard = (event: ClipboardEvent): void => {
    const data = event.clipboardData;
    if (this.#editor.isOpen || !data) return;
    event.preventDefault();
    if (event.type === "paste") {
      this.#paste(data);
      return;
    }
    const { top: row, left: column } = this.area;
    const shown = this.#texts((y, x) => this.model.shown(y, x));
    const sources = this.#texts(this.#read);
    writeClipboard(data, { shown, sources, row, column });
    if (event.type === "cut") this.clear();
  };

  #paste(data: DataTransfer): void {
    const { top, left } = this.area;
    const cells = readClipboard(data, top, left);
    if (!cells || cells.length === 0) return;
    const { changes, last } = spread(cells, this.area, this.view.rows);
    this.write(changes);
    this.select({ anchor: { row: top, column: left }, head: last });
  }
}

const isSame = (one: CellPosition, other: CellPosition): boolean =>
  one.row === other.row && one.column === other.column;

/** Reports text typed into a cell that somebody deleted. */
export function reportLostText(text: string): void {
  if (text !== "") toast(`The cell you were writing in was deleted, so this was not saved: ${text.slice(0, 500)}`);
}

const stepOffsets: Readonly<Record<"up" | "down" | "left" | "right", CellPosition>> = {
  up: defined(steps.ArrowUp),
  down: defined(steps.ArrowDown),
  left: defined(steps.ArrowLeft),
  right: defined(steps.ArrowRight),
};
