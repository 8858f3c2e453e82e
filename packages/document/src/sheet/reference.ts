/** A cell, both counted from 0. `fixed…`: a `$` stands before it, so that copying does not shift it. */
export interface CellReference {
  readonly row: number;
  readonly column: number;
  readonly fixedRow: boolean;
  readonly fixedColumn: boolean;
}

/** As many as other spreadsheets know. */
export const MAX_ROWS = 1_048_576;
export const MAX_COLUMNS = 16_384;

/** 0 is A, 25 Z, 26 AA. */
export function columnName(column: number): string {
  let name = "";
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  return name;
}

const columnIndex = (name: string): number =>
  [...name.toUpperCase()].reduce((index, letter) => index * 26 + letter.charCodeAt(0) - 64, 0) - 1;

const REFERENCE = /^(\$?)([A-Z]{1,3})(\$?)([1-9]\d{0,6})$/i;

export function readReference(text: string): CellReference | undefined {
  const [, fixedColumn, letters = "", fixedRow, digits = ""] = REFERENCE.exec(text) ?? [];
  if (letters === "") return undefined;
  const [column, row] = [columnIndex(letters), Number(digits) - 1];
  if (column >= MAX_COLUMNS || row >= MAX_ROWS) return undefined;
  return { row, column, fixedRow: fixedRow === "$", fixedColumn: fixedColumn === "$" };
}

/** `B:D`: whole columns, from the first row to the last that can be. */
export function readColumns(text: string): { readonly from: CellReference; readonly to: CellReference } | undefined {
  const [first = "", last = ""] = text.split(":");
  const [from, to] = [readReference(`${first}1`), readReference(`${last}${MAX_ROWS}`)];
  return from && to && { from, to };
}

export const writeColumns = (from: CellReference, to: CellReference): string =>
  [from, to].map(({ column, fixedColumn }) => `${fixedColumn ? "$" : ""}${columnName(column)}`).join(":");

export const writeReference = ({ row, column, fixedRow, fixedColumn }: CellReference): string =>
  `${fixedColumn ? "$" : ""}${columnName(column)}${fixedRow ? "$" : ""}${row + 1}`;

/** Cells between two corners, all counted from 0, the last ones included. */
export interface Range {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

export const rangeOf = (a: { row: number; column: number }, b: { row: number; column: number }): Range => ({
  top: Math.min(a.row, b.row),
  left: Math.min(a.column, b.column),
  bottom: Math.max(a.row, b.row),
  right: Math.max(a.column, b.column),
});

/** `B2:D9` or `B2`; undefined for anything else. */
export function readRange(text: string): Range | undefined {
  const [from = "", to = from, more] = text.split(":");
  const [a, b] = [readReference(from.trim()), readReference(to.trim())];
  return a && b && more === undefined ? rangeOf(a, b) : undefined;
}
