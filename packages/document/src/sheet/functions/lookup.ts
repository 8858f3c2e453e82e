import { toBoolean, toNumber } from "../coerce.ts";
import { compare } from "../compare.ts";
import { given } from "../given.ts";
import { columnName } from "../reference.ts";
import { errorOf, firstOf, isMatrix, type Matrix, type Scalar, SheetError, type Value } from "../value.ts";
import { type CallContext, demand, type Functions, type Spend, whole } from "./define.ts";
import { hasWildcard, wildcardMatcher } from "./wildcard.ts";

const matrixOf = (value: Value): Matrix => (isMatrix(value) ? value : { rows: [[value]] });
const lineOf = (value: Value): readonly Scalar[] => {
  const { rows } = matrixOf(value);
  demand(rows.length === 1 || rows.every((row) => row.length === 1), "#N/A");
  return rows.length === 1 ? given(rows[0]) : rows.map((row) => given(row[0]));
};

function sameAs(wanted: Scalar, spend: Spend): (scalar: Scalar) => boolean {
  if (typeof wanted === "string" && hasWildcard(wanted)) {
    const fits = wildcardMatcher(wanted, spend);
    return (scalar) => typeof scalar === "string" && fits(scalar);
  }
  return (scalar) => isComparable(scalar, wanted) && compare(scalar, wanted) === 0;
}

const isComparable = (scalar: Scalar, wanted: Scalar): boolean =>
  scalar !== null && !(scalar instanceof SheetError) && (typeof scalar === "string") === (typeof wanted === "string");

/** Finds a value's index in a list; `mode` 0: the first equal one, 1: the last that is not larger, -1: not smaller. */
function placeOf(list: readonly Scalar[], wanted: Scalar, mode: number, spend: Spend): number {
  if (wanted instanceof SheetError) throw wanted;
  if (mode === 0) return list.findIndex(sameAs(wanted, spend));
  let found = -1;
  for (const [place, scalar] of list.entries()) {
    if (!isComparable(scalar, wanted)) continue;
    const order = compare(scalar, wanted);
    if (mode > 0 ? order > 0 : order < 0) break;
    found = place;
  }
  return found;
}

function found(place: number): number {
  demand(place >= 0, "#N/A");
  return place;
}

/** VLOOKUP and HLOOKUP: `lines` are the rows or the columns of the table. */
function lookUp(
  lines: readonly (readonly Scalar[])[],
  [wanted, , index, isSorted = true]: readonly Value[],
  spend: Spend,
): Scalar {
  const at = Math.trunc(toNumber(given(index))) - 1;
  demand(at >= 0, "#VALUE!");
  const place = found(
    placeOf(
      lines.map((line) => line[0] ?? null),
      firstOf(given(wanted)),
      toBoolean(isSorted) ? 1 : 0,
      spend,
    ),
  );
  const value = given(lines[place])[at];
  demand(value !== undefined, "#REF!");
  return given(value);
}

const columnsOf = ({ rows }: Matrix): Scalar[][] =>
  (rows[0] ?? []).map((_, column) => rows.map((row) => given(row[column])));

function index([range, row = 0, column]: readonly Value[]): Value {
  const { rows } = matrixOf(given(range));
  let [y, x] = [Math.trunc(toNumber(row)), column === undefined ? 0 : Math.trunc(toNumber(column))];
  // One number counts along a single row.
  if (column === undefined && rows.length === 1) [y, x] = [1, y];
  demand(y >= 0 && x >= 0, "#VALUE!");
  demand(y <= rows.length && x <= (rows[0]?.length ?? 0), "#REF!");
  const chosen = y === 0 ? rows : [given(rows[y - 1])];
  const cut = x === 0 ? chosen : chosen.map((line) => [given(line[x - 1])]);
  return cut.length === 1 && given(cut[0]).length === 1 ? given(given(cut[0])[0]) : { rows: cut };
}

function xlookup([wanted, list, results, otherwise, mode = 0]: readonly Value[], { spend }: CallContext): Value {
  const line = lineOf(given(list));
  const value = firstOf(given(wanted));
  const kind = toNumber(mode);
  let place = placeOf(line, value, 0, spend);
  if (place < 0 && kind !== 0 && kind !== 2) place = nearest(line, value, kind);
  if (place < 0) return otherwise === undefined || firstOf(otherwise) === null ? errorOf("#N/A") : otherwise;
  const { rows } = matrixOf(given(results));
  if (rows.length === line.length)
    return given(rows[place]).length === 1 ? given(given(rows[place])[0]) : { rows: [given(rows[place])] };
  demand((rows[0]?.length ?? 0) === line.length, "#VALUE!");
  return rows.length === 1 ? given(given(rows[0])[place]) : { rows: rows.map((row) => [given(row[place])]) };
}

/** The largest value below the wanted one (`kind` -1) or the smallest above it, in any order. */
function nearest(line: readonly Scalar[], wanted: Scalar, kind: number): number {
  let best = -1;
  for (const [place, scalar] of line.entries()) {
    if (!isComparable(scalar, wanted) || Math.sign(compare(scalar, wanted)) !== Math.sign(kind)) continue;
    if (best < 0 || Math.sign(compare(scalar, given(line[best]))) === -Math.sign(kind)) best = place;
  }
  return best;
}

const sizeOf = (value: Value): number => {
  const { rows } = matrixOf(value);
  return rows.length * (rows[0]?.length ?? 0);
};

export const lookupFunctions: Functions = {
  VLOOKUP: whole(3, 4, (args, { spend }) => {
    spend(sizeOf(given(args[1])));
    return lookUp(matrixOf(given(args[1])).rows, args, spend);
  }),
  HLOOKUP: whole(3, 4, (args, { spend }) => {
    spend(sizeOf(given(args[1])));
    return lookUp(columnsOf(matrixOf(given(args[1]))), args, spend);
  }),
  LOOKUP: whole(2, 3, ([wanted, list, results = given(list)], { spend }) => {
    const place = found(placeOf(lineOf(given(list)), firstOf(given(wanted)), 1, spend));
    return lineOf(results)[place] ?? errorOf("#N/A");
  }),
  XLOOKUP: whole(3, 5, xlookup),
  MATCH: whole(
    2,
    3,
    ([wanted, list, mode = 1], { spend }) =>
      found(placeOf(lineOf(given(list)), firstOf(given(wanted)), toNumber(mode), spend)) + 1,
  ),
  INDEX: whole(1, 3, index),
  ROWS: whole(1, 1, ([range]) => matrixOf(given(range)).rows.length),
  COLUMNS: whole(1, 1, ([range]) => matrixOf(given(range)).rows[0]?.length ?? 0),
  ROW: whole(0, 1, ([range], { row }) => (range === undefined ? row : originOf(range).row) + 1),
  COLUMN: whole(0, 1, ([range], { column }) => (range === undefined ? column : originOf(range).column) + 1),
  TRANSPOSE: whole(1, 1, ([range]) => ({ rows: columnsOf(matrixOf(given(range))) })),
  ADDRESS: whole(2, 3, ([row, column, kind = 1]) => {
    const [y, x, fixed] = [toNumber(given(row)), toNumber(given(column)), toNumber(kind)];
    demand(y >= 1 && x >= 1 && x <= 16_384, "#VALUE!");
    return `${fixed === 1 || fixed === 3 ? "$" : ""}${columnName(Math.trunc(x) - 1)}${fixed <= 2 ? "$" : ""}${Math.trunc(y)}`;
  }),
};

function originOf(value: Value): { readonly row: number; readonly column: number } {
  const origin = isMatrix(value) ? value.origin : undefined;
  if (!origin) throw errorOf("#VALUE!");
  return origin;
}
