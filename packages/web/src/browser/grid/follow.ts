import { defined } from "@svc/document/defined";
import type { CellPosition, Selection } from "./selection.ts";

/** A sheet's rows and cells by their ids, which stay the same when others come and go. */
export interface Layout {
  readonly tableId: string | undefined;
  readonly rows: readonly string[];
  /** The cells of a row, by column. */
  readonly cells: (row: number) => readonly string[];
}

/** Maps rows, or the cells of one row, through a change. */
class Lines {
  readonly #before: readonly string[];
  readonly #now: ReadonlyMap<string, number>;
  /** The end of the last line before the change. */
  readonly #end: number;
  readonly keepsOrder: boolean;

  constructor(before: readonly string[], now: readonly string[]) {
    this.#before = before;
    this.#now = new Map(now.map((id, index) => [id, index]));
    const kept = before.flatMap((id) => this.#now.get(id) ?? []);
    this.#end = kept.length === 0 ? before.length : kept.reduce((most, at) => Math.max(most, at), 0) + 1;
    this.keepsOrder = isRising(kept);
  }

  /** Undefined for a removed line. Lines beyond the table keep their distance from it. */
  at(index: number): number | undefined {
    const id = this.#before[index];
    return id === undefined ? index - this.#before.length + this.#end : this.#now.get(id);
  }

  /** The line itself, or for a removed one the line that took its place. */
  nearest(index: number): number {
    const own = this.at(index);
    if (own !== undefined) return own;
    for (let above = index - 1; above >= 0; above--) {
      const at = this.at(above);
      if (at !== undefined) return at + 1;
    }
    return 0;
  }

  /** The start and end of a run of lines; undefined if their order changed. */
  span(from: number, to: number): readonly [number, number] | undefined {
    const [low, high] = [Math.min(from, to), Math.max(from, to)];
    const kept = Array.from({ length: high - low + 1 }, (_, i) => low + i).flatMap((index) => this.at(index) ?? []);
    if (!isRising(kept)) return undefined;
    const [first = this.nearest(low)] = kept;
    const last = kept.at(-1) ?? first;
    return from <= to ? [first, last] : [last, first];
  }
}

const isRising = (numbers: readonly number[]): boolean =>
  numbers.every((number, i) => i === 0 || number > defined(numbers[i - 1]));

/** Maps positions in a sheet through changes by others. */
export class Follower {
  readonly #before: Layout;
  readonly #now: Layout;
  readonly #rows: Lines;

  constructor(before: Layout, now: Layout) {
    this.#before = before;
    this.#now = now;
    this.#rows = new Lines(before.rows, now.rows);
  }

  /** True if another sheet is shown because the previous one is gone. */
  get isElsewhere(): boolean {
    const [before, now] = [this.#before.tableId, this.#now.tableId];
    return before !== undefined && now !== undefined && before !== now;
  }

  /** True if no row moved among the others. */
  get keepsOrder(): boolean {
    return this.#rows.keepsOrder;
  }

  /** The same cell; undefined if it is gone. */
  cell({ row, column }: CellPosition): CellPosition | undefined {
    const [y, x] = [this.#rows.at(row), this.#columns(row, column).at(column)];
    return this.isElsewhere || y === undefined || x === undefined ? undefined : { row: y, column: x };
  }

  column(column: number): number | undefined {
    return this.#columns(0, column).at(column);
  }

  /** The same selection; if sorting separated its cells, the cell where it started. */
  selection({ anchor, head }: Selection): Selection {
    const lines = this.#columns(anchor.row, anchor.column);
    const [rows, columns] = [this.#rows.span(anchor.row, head.row), lines.span(anchor.column, head.column)];
    if (rows && columns)
      return { anchor: { row: rows[0], column: columns[0] }, head: { row: rows[1], column: columns[1] } };
    const place = { row: this.#rows.nearest(anchor.row), column: lines.nearest(anchor.column) };
    return { anchor: place, head: place };
  }

  /**
   * Columns are identified by the cells of a row: the position's own, or another one that has a cell in the column and
   * still exists.
   */
  #columns(row: number, column: number): Lines {
    const { rows, cells } = this.#before;
    const isKept = (at: number) => at < rows.length && this.#rows.at(at) !== undefined;
    const hasCell = (at: number) => isKept(at) && column < cells(at).length;
    const other = hasCell(row) ? row : rows.findIndex((_, at) => hasCell(at));
    const known = other >= 0 ? other : rows.findIndex((_, at) => isKept(at));
    return known < 0 ? new Lines([], []) : new Lines(cells(known), this.#now.cells(defined(this.#rows.at(known))));
  }
}
