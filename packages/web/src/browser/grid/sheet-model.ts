import { defined } from "@svc/document/defined";
import { longestIncreasing } from "@svc/document/longest-increasing";
import { cellNode } from "@svc/document/sheet/make-table";
import { adjustFormula, renameInFormula, type Structure, shiftFormula } from "@svc/document/sheet/rewrite-formula";
import { type Column, type ColumnType, cellGrid, cellText, type SheetSource } from "@svc/document/sheet/table-source";
import { isFormulaText, Workbook } from "@svc/document/sheet/workbook";
import { decodeElement, encodeElement, removeNodeAttribute, setNodeAttribute } from "@svc/live/element";
import type { LiveState } from "@svc/live/live-state";
import { patchElement } from "@svc/live/patch";
import * as Y from "yjs";
import type { Layout } from "./follow.ts";
import { blankRows, newTable, padRow, shiftRow, withIds, withText } from "./sheet-nodes.ts";
import { rowElements, SheetReader } from "./sheet-reader.ts";

/** The origin of this grid's changes in the live state. */
const OWN = Symbol("grid");
/** Max cells in one update of the live state, whose size is limited. */
const CELLS_AT_ONCE = 400;
/** Max cells that formulas may read in a browser, which computes for one person. */
const MAX_STEPS = 20_000_000;

/** The source of a change: this person, this person's undo or redo, or somebody else. */
export type Cause = "own" | "undo" | "other";

export interface CellChange {
  readonly row: number;
  readonly column: number;
  readonly text: string;
}

/** The sheets of a live document: their results, and every way to change them. Each change is one undo step. */
export class SheetModel {
  readonly live: LiveState;
  readonly #undo: Y.UndoManager;
  readonly #onChange: (cause: Cause) => void;
  readonly #reader = new SheetReader();
  #book: Workbook | undefined;
  /** The table that is shown. */
  #current: string | undefined;
  #isChanging = false;
  /** How long the stacks of undo and redo were before each step. */
  readonly #undoMarks: number[] = [];
  readonly #redoMarks: number[] = [];

  constructor(live: LiveState, onChange: (cause: Cause) => void) {
    this.live = live;
    this.#onChange = onChange;
    this.#undo = new Y.UndoManager(live.map, { trackedOrigins: new Set([OWN]), captureTimeout: 0 });
    live.map.observeDeep(this.#hear);
  }

  destroy(): void {
    this.live.map.unobserveDeep(this.#hear);
    this.#undo.destroy();
  }

  readonly #hear = (events: readonly Y.YEvent<Y.AbstractType<unknown>>[], transaction: Y.Transaction): void => {
    for (const { target } of events) this.#reader.forget(target);
    this.#book = undefined;
    if (!this.#isChanging) this.#onChange(transaction.origin === OWN ? "own" : "other");
  };

  get tableIds(): readonly string[] {
    return this.live.order;
  }

  get tableId(): string | undefined {
    if (this.#current !== undefined && this.live.has(this.#current)) return this.#current;
    return this.tableIds[0];
  }

  set tableId(id: string | undefined) {
    this.#current = id;
  }

  /** The place of the shown table among all. */
  get sheet(): number {
    return Math.max(0, this.tableIds.indexOf(this.tableId ?? ""));
  }

  get book(): Workbook {
    this.#book ??= new Workbook(
      this.tableIds.map((id, index) => this.#reader.source(defined(this.live.element(id)), index)),
      { now: localNow(), maxSteps: MAX_STEPS },
    );
    return this.#book;
  }

  get source(): SheetSource {
    return this.book.sheets[this.sheet] ?? { name: "Sheet1", rows: [], columns: [], hasHeader: true };
  }

  get height(): number {
    return this.source.rows.length;
  }

  get width(): number {
    return this.source.rows.reduce((most, row) => Math.max(most, row.length), 0);
  }

  text(row: number, column: number): string {
    return this.source.rows[row]?.[column] ?? "";
  }

  shown(row: number, column: number): string {
    return this.height === 0 ? "" : this.book.display(this.sheet, row, column);
  }

  /** The text of a cell without its column's format. */
  plain(row: number, column: number): string {
    return this.height === 0 ? "" : this.book.shown(this.sheet, row, column);
  }

  column(column: number): Column {
    return this.source.columns[column] ?? { type: "auto", choices: [] };
  }

  get #table(): Y.XmlElement | undefined {
    return this.tableId === undefined ? undefined : this.live.element(this.tableId);
  }

  get layout(): Layout {
    return this.#reader.layout(this.tableId, this.#table);
  }

  /** False where there is nothing to undo. */
  undo(): boolean {
    const { undoStack, redoStack } = this.#undo;
    const target = this.#undoMarks.pop();
    if (target === undefined) return false;
    this.#redoMarks.push(redoStack.length);
    this.#together("undo", () => {
      while (undoStack.length > target) this.#undo.undo();
    });
    return true;
  }

  /** The cells of the steps until now are gone. */
  forgetSteps(): void {
    this.#undo.clear();
    this.#undoMarks.length = 0;
    this.#redoMarks.length = 0;
  }

  redo(): void {
    const { undoStack, redoStack } = this.#undo;
    const target = this.#redoMarks.pop();
    if (target === undefined) return;
    this.#undoMarks.push(undoStack.length);
    this.#together("undo", () => {
      while (redoStack.length > target) this.#undo.redo();
    });
  }

  /** One step of undo, in as many updates as it takes: each of them is undone by itself, for that is an update too. */
  #change(...steps: readonly (() => void)[]): void {
    const before = this.#undo.undoStack.length;
    this.#together("own", () => {
      for (const step of steps) this.live.doc.transact(step, OWN);
    });
    if (this.#undo.undoStack.length === before) return;
    this.#undoMarks.push(before);
    this.#redoMarks.length = 0;
  }

  /** Several updates are shown once, at their end. */
  #together(cause: Cause, run: () => void): void {
    this.#isChanging = true;
    try {
      run();
    } finally {
      this.#isChanging = false;
      this.#onChange(cause);
    }
  }

  /** Writes texts into cells; rows and columns that are not there yet come first. */
  setTexts(changes: readonly CellChange[]): void {
    const real = changes.filter(({ row, column, text }) => this.text(row, column) !== text);
    if (real.length === 0) return;
    const needs = real.filter(({ text }) => text !== "");
    const height = needs.reduce((most, { row }) => Math.max(most, row + 1), this.height);
    const width = needs.reduce((most, { column }) => Math.max(most, column + 1), this.width);
    this.#change(...this.#growth(height, width), ...this.#writes(this.tableId, real));
  }

  #writes(tableId: string | undefined, changes: readonly CellChange[]): (() => void)[] {
    return inParts(changes, CELLS_AT_ONCE).map((part) => () => {
      const table = this.live.element(tableId ?? this.tableId ?? "");
      if (!table) return;
      const rows = rowElements(table);
      const isPlain = rows.every((element) => this.#reader.row(element).isPlain);
      const grid = isPlain
        ? undefined
        : cellGrid({ type: "table", content: rows.map((element) => this.#reader.row(element).node) });
      for (const { row, column, text } of part) {
        const element = rows[row];
        if (!element) continue;
        const wanted = grid?.[row]?.[column];
        const cells = this.#reader.row(element).node.content ?? [];
        const place = grid ? (wanted ? cells.indexOf(wanted) : -1) : column;
        const cell = element.toArray()[place];
        if (cell instanceof Y.XmlElement) patchElement(cell, withText(decodeElement(cell), text));
      }
    });
  }

  /** Makes the table so high and wide, the table itself if there is none. */
  #growth(height: number, width: number): (() => void)[] {
    const steps: (() => void)[] = [];
    const isNew = this.tableId === undefined;
    const [oldHeight, oldWidth] = isNew ? [1, 1] : [this.height, this.width];
    if (isNew) steps.push(() => this.live.insert(newTable(1, 1), this.live.lastKey()));
    const missing = width - oldWidth;
    if (missing > 0)
      steps.push(
        ...this.#eachRow((row, index) => padRow(row, width, index === 0 && this.source.hasHeader), oldHeight, missing),
      );
    const atOnce = Math.max(1, Math.floor(CELLS_AT_ONCE / Math.max(1, width)));
    for (let from = oldHeight; from < height; from += atOnce)
      steps.push(() => {
        const table = defined(this.#table);
        const rows = blankRows(Math.min(atOnce, height - from), width, false);
        table.insert(
          table.length,
          rows.map((row) => encodeElement(withIds(row))),
        );
      });
    return steps;
  }

  /** Something for each row of the table, a part of them at a time; `cells` says how many cells of a row it changes. */
  #eachRow(run: (row: Y.XmlElement, index: number) => void, count = this.height, cells = 1): (() => void)[] {
    const atOnce = Math.max(1, Math.floor(CELLS_AT_ONCE / cells));
    return Array.from({ length: Math.ceil(count / atOnce) }, (_, part) => () => {
      const rows = rowElements(defined(this.#table));
      for (let i = part * atOnce; i < Math.min(rows.length, (part + 1) * atOnce); i++) run(defined(rows[i]), i);
    });
  }

  /** Formulas of all sheets whose references move when rows or columns of the shown one come or go. */
  #adjusted(structure: Structure): (() => void)[] {
    const { name } = this.source;
    return this.#rewritten((text, ownSheet) => adjustFormula(text, name, ownSheet, structure));
  }

  #rewritten(rewrite: (formula: string, ownSheet: string) => string): (() => void)[] {
    return this.book.sheets.flatMap((sheet, index) => {
      const changes: CellChange[] = [];
      for (const [row, line] of sheet.rows.entries())
        for (const [column, text] of line.entries()) {
          if (!isFormulaText(text)) continue;
          const now = rewrite(text, sheet.name);
          if (now !== text) changes.push({ row, column, text: now });
        }
      return this.#writes(this.tableIds[index], changes);
    });
  }

  insertRows(at: number, count = 1): void {
    const [width, isInside] = [Math.max(1, this.width), at < this.height];
    if (!isInside) {
      this.#change(...this.#growth(at + count, width));
      return;
    }
    this.#change(...this.#adjusted({ axis: "row", at, count }), () => {
      const isHeader = at === 0 && this.source.hasHeader;
      defined(this.#table).insert(
        at,
        blankRows(count, width, isHeader).map((row) => encodeElement(withIds(row))),
      );
    });
  }

  removeRows(at: number, count = 1): void {
    const gone = Math.min(count, this.height - at);
    if (gone <= 0) return;
    // A table has at least one row.
    if (gone >= this.height) {
      this.removeTable();
      return;
    }
    this.#change(...this.#adjusted({ axis: "row", at, count: -gone }), ...this.#removals(at, gone));
  }

  #removals(at: number, count: number): (() => void)[] {
    const atOnce = Math.max(1, Math.floor(CELLS_AT_ONCE / Math.max(1, this.width)));
    return Array.from({ length: Math.ceil(count / atOnce) }, (_, part) => () => {
      defined(this.#table).delete(at, Math.min(atOnce, count - part * atOnce));
    });
  }

  insertColumn(at: number): void {
    if (at >= this.width) {
      this.#change(...this.#growth(Math.max(1, this.height), at + 1));
      return;
    }
    const { hasHeader } = this.source;
    this.#change(
      ...this.#adjusted({ axis: "column", at, count: 1 }),
      ...this.#eachRow((row, index) => {
        padRow(row, at, index === 0 && hasHeader);
        row.insert(at, [encodeElement(withIds(cellNode("", index === 0 && hasHeader)))]);
      }),
    );
  }

  removeColumns(at: number, count = 1): void {
    const gone = Math.min(count, this.width - at);
    if (gone <= 0) return;
    if (gone >= this.width) {
      this.removeTable();
      return;
    }
    const { hasHeader } = this.source;
    this.#change(
      ...this.#adjusted({ axis: "column", at, count: -gone }),
      ...this.#eachRow(
        (row, index) => {
          if (row.length > at) row.delete(at, Math.min(gone, row.length - at));
          // A row has at least one cell.
          padRow(row, 1, index === 0 && hasHeader);
        },
        this.height,
        gone,
      ),
    );
  }

  /** Puts the rows from `from` on into another order. Rows that keep theirs stay; what they hold and their ids go along. */
  orderRows(from: number, order: readonly number[]): void {
    const table = this.#table;
    if (!table) return;
    const nodes = rowElements(table).map((element) => this.#reader.row(element).node);
    const steady = new Set(longestIncreasing([...order]));
    const now = nodes.map((_, index) => index);
    const moves = order.flatMap((old, place) => (steady.has(place) ? [] : { old: from + old, place: from + place }));
    const shifted = order.flatMap((old, place) =>
      steady.has(place) && old !== place ? { old: from + old, place: from + place } : [],
    );
    const move = ({ old, place }: { old: number; place: number }) => {
      const index = now.indexOf(old);
      now.splice(index, 1);
      now.splice(place, 0, old);
      defined(this.#table).delete(index, 1);
      defined(this.#table).insert(place, [encodeElement(shiftRow(defined(nodes[old]), place - old))]);
    };
    const rewrite = shifted.flatMap(({ old, place }) =>
      (defined(nodes[old]).content ?? []).flatMap((cell, column) => {
        const text = shiftFormula(cellText(cell), place - old, 0);
        return text === cellText(cell) ? [] : { row: place, column, text };
      }),
    );
    this.#change(
      ...inParts(moves, Math.max(1, Math.floor(CELLS_AT_ONCE / Math.max(1, this.width)))).map(
        (part) => () => part.forEach(move),
      ),
      ...this.#writes(this.tableId, rewrite),
    );
  }

  /** How the numbers and dates of columns are shown; undefined for as they are. */
  setFormat(from: number, to: number, format: string | undefined): void {
    this.#change(...this.#growth(Math.max(1, this.height), Math.max(to + 1, this.width)), () => {
      const cells =
        rowElements(defined(this.#table))[0]
          ?.toArray()
          .slice(from, to + 1) ?? [];
      for (const cell of cells) {
        if (!(cell instanceof Y.XmlElement)) continue;
        if (format === undefined) removeNodeAttribute(cell, "numberFormat");
        else setNodeAttribute(cell, "numberFormat", format);
      }
    });
  }

  format(column: number): string | undefined {
    return this.source.formats?.[column];
  }

  /** The number of columns that stay in sight. */
  get frozen(): number {
    return this.source.frozenColumns ?? 0;
  }

  set frozen(count: number) {
    const table = this.#table;
    if (!table) return;
    this.#change(() =>
      count > 0 ? setNodeAttribute(table, "frozenColumns", count) : removeNodeAttribute(table, "frozenColumns"),
    );
  }

  setColumn(column: number, type: ColumnType, choices: readonly string[] = []): void {
    this.#change(...this.#growth(Math.max(1, this.height), Math.max(column + 1, this.width)), () => {
      const cell = rowElements(defined(this.#table))[0]?.toArray()[column];
      if (!(cell instanceof Y.XmlElement)) return;
      if (type === "auto") removeNodeAttribute(cell, "columnType");
      else setNodeAttribute(cell, "columnType", type);
      if (type === "choice") setNodeAttribute(cell, "choices", [...choices]);
      else removeNodeAttribute(cell, "choices");
    });
  }

  addTable(): void {
    const table = newTable(2, 3);
    this.#current = String(table.attrs?.id);
    this.#change(() => this.live.insert(table, this.live.lastKey()));
  }

  removeTable(): void {
    const id = this.tableId;
    if (id !== undefined) this.#change(...this.#removals(1, Math.max(0, this.height - 1)), () => this.live.remove(id));
  }

  /** Formulas that name the sheet follow. False where another sheet has the name. */
  renameTable(wanted: string): boolean {
    const name = wanted.trim().slice(0, 100);
    const before = this.source.name;
    const table = this.#table;
    if (!table || name === "" || name === before) return true;
    const isTaken = this.book.sheets.some(
      (sheet, at) => at !== this.sheet && sheet.name.toLowerCase() === name.toLowerCase(),
    );
    if (isTaken) return false;
    this.#change(
      () => setNodeAttribute(table, "name", name),
      ...this.#rewritten((text) => renameInFormula(text, before, name)),
    );
    return true;
  }
}

/** The time as this person's clock shows it: what TODAY and NOW mean to them. */
const localNow = (): number => Date.now() - new Date().getTimezoneOffset() * 60_000;

const inParts = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
