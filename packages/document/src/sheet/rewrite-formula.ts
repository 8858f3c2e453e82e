import { given } from "./given.ts";
import {
  type CellReference,
  MAX_COLUMNS,
  MAX_ROWS,
  readColumns,
  readReference,
  writeColumns,
  writeReference,
} from "./reference.ts";
import { type Token, tokenise } from "./tokens.ts";
import { isFormulaText } from "./workbook.ts";

interface Found {
  readonly sheet: string | undefined;
  readonly from: CellReference;
  /** The same as `from` for one cell. */
  readonly to: CellReference;
  readonly kind: "cell" | "range" | "columns";
  readonly start: number;
  readonly end: number;
}

/** Every reference of a formula, with its place in the text behind the `=`. */
function references(tokens: readonly Token[]): Found[] {
  const found: Found[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = given(tokens[i]);
    const before = tokens[i - 1];
    const sheet = before?.kind === "sheet" ? before.text : undefined;
    const columns = token.kind === "columns" ? readColumns(token.text) : undefined;
    if (columns) found.push({ sheet, ...columns, kind: "columns", start: token.start, end: token.end });
    const from = token.kind === "cell" ? readReference(token.text) : undefined;
    if (!from) continue;
    const [colon, last] = [tokens[i + 1], tokens[i + 2]];
    const to = colon?.text === ":" && last?.kind === "cell" ? readReference(last.text) : undefined;
    found.push({
      sheet,
      from,
      to: to ?? from,
      kind: to ? "range" : "cell",
      start: token.start,
      end: to ? given(last).end : token.end,
    });
    if (to) i += 2;
  }
  return found;
}

/** The formula with its references written again; what is no formula stays. Undefined as a new reference is `#REF!`. */
function mapReferences(
  source: string,
  change: (found: Found) => readonly [CellReference, CellReference] | undefined,
): string {
  const tokens = isFormulaText(source) ? tokenise(source.slice(1)) : undefined;
  if (!tokens) return source;
  const body = source.slice(1);
  let [text, at] = ["=", 0];
  for (const found of references(tokens)) {
    const changed = change(found);
    text += body.slice(at, found.start) + (changed ? write(found.kind, changed) : "#REF!");
    at = found.end;
  }
  return text + body.slice(at);
}

function write(kind: Found["kind"], [from, to]: readonly [CellReference, CellReference]): string {
  if (kind === "columns") return writeColumns(from, to);
  return kind === "cell" ? writeReference(from) : `${writeReference(from)}:${writeReference(to)}`;
}

/** A formula as it is when its cell is copied so many rows and columns away: references without `$` go along. */
export function shiftFormula(source: string, rows: number, columns: number): string {
  const shift = (cell: CellReference, keepsRow: boolean): CellReference | undefined => {
    const row = cell.fixedRow || keepsRow ? cell.row : cell.row + rows;
    const column = cell.fixedColumn ? cell.column : cell.column + columns;
    const isThere = row >= 0 && row < MAX_ROWS && column >= 0 && column < MAX_COLUMNS;
    return isThere ? { ...cell, row, column } : undefined;
  };
  return mapReferences(source, ({ from, to, kind }) => {
    const [a, b] = [shift(from, kind === "columns"), shift(to, kind === "columns")];
    return a && b && [a, b];
  });
}

/** Rows or columns that come (`count` above 0) or go, before the one at `at`. */
export interface Structure {
  readonly axis: "row" | "column";
  readonly at: number;
  readonly count: number;
}

/** A formula of `ownSheet` after rows or columns of `sheet` came or went: its references mean the same cells as before. */
export function adjustFormula(source: string, sheet: string, ownSheet: string, { axis, at, count }: Structure): string {
  return mapReferences(source, ({ sheet: named = ownSheet, from, to, kind }) => {
    const isOther = named.toLowerCase() !== sheet.toLowerCase() || (kind === "columns" && axis === "row");
    if (isOther) return [from, to];
    const [low, high] = from[axis] <= to[axis] ? [from, to] : [to, from];
    const [start, end] = moved(low[axis], high[axis], at, count);
    return start > end
      ? undefined
      : [
          { ...low, [axis]: start },
          { ...high, [axis]: end },
        ];
  });
}

/** A formula after a sheet got another name. */
export function renameInFormula(source: string, before: string, after: string): string {
  const tokens = isFormulaText(source) ? tokenise(source.slice(1)) : undefined;
  const named = tokens?.filter(({ kind, text }) => kind === "sheet" && text.toLowerCase() === before.toLowerCase());
  return (named ?? []).reduceRight(
    (text, { start, end }) => `${text.slice(0, start + 1)}${writeSheet(after)}${text.slice(end + 1)}`,
    source,
  );
}

/** A name of a sheet before a reference. */
const writeSheet = (name: string): string =>
  /^[\p{L}_][\p{L}\p{N}_.]*$/u.test(name) ? `${name}!` : `'${name.replaceAll("'", "''")}'!`;

/** Returns the new range of the lines from `start` to `end`; an end before the start means they are deleted. */
function moved(start: number, end: number, at: number, count: number): readonly [number, number] {
  if (count >= 0) return [start >= at ? start + count : start, end >= at ? end + count : end];
  const gone = -count;
  const [first, last] = [Math.max(start, at), Math.min(end, at + gone - 1)];
  const lost = Math.max(0, last - first + 1);
  const before = Math.max(0, Math.min(at + gone, start) - at);
  const begin = start >= at ? start - before : start;
  return [begin, begin + (end - start + 1 - lost) - 1];
}
