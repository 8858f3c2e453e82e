import { scalarsIn, toBoolean, toNumber } from "../coerce.ts";
import { given } from "../given.ts";
import { errorOf, firstOf, isMatrix, type Scalar, SheetDate, SheetError, type Value } from "../value.ts";
import { demand, each, type Functions, type SheetFunction, whole } from "./define.ts";

/** TRUE and FALSE among arguments; texts and empty cells of a range count for nothing. */
function booleans(args: readonly Value[]): boolean[] {
  const found = args.flatMap((arg) =>
    [...scalarsIn([arg])].flatMap((scalar) => {
      if (scalar instanceof SheetError) throw scalar;
      if (isMatrix(arg) && (scalar === null || typeof scalar === "string")) return [];
      return toBoolean(scalar);
    }),
  );
  demand(found.length > 0, "#VALUE!");
  return found;
}

/** Asks about a value, an error included, each of a range by itself. */
const asks = (question: (scalar: Scalar) => boolean): SheetFunction =>
  whole(1, 1, ([argument]) => {
    const value = given(argument);
    const isMany = isMatrix(value) && value.rows.length * (value.rows[0]?.length ?? 0) > 1;
    return isMany ? { rows: value.rows.map((row) => row.map(question)) } : question(firstOf(value));
  });

const isNumber = (scalar: Scalar): boolean => typeof scalar === "number" || scalar instanceof SheetDate;

const types: readonly (readonly [number, (scalar: Scalar) => boolean])[] = [
  [1, (scalar) => scalar === null || isNumber(scalar)],
  [2, (scalar) => typeof scalar === "string"],
  [4, (scalar) => typeof scalar === "boolean"],
  [16, (scalar) => scalar instanceof SheetError],
];

const errorNumbers = ["#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A"];

export const logicFunctions: Functions = {
  AND: whole(1, "many", (args) => booleans(args).every(Boolean)),
  OR: whole(1, "many", (args) => booleans(args).some(Boolean)),
  XOR: whole(1, "many", (args) => booleans(args).filter(Boolean).length % 2 === 1),
  NOT: each(1, 1, ([value]) => !toBoolean(given(value))),
  TRUE: whole(0, 0, () => true),
  FALSE: whole(0, 0, () => false),
  NA: whole(0, 0, () => errorOf("#N/A")),
  ISBLANK: asks((scalar) => scalar === null),
  ISNUMBER: asks(isNumber),
  ISTEXT: asks((scalar) => typeof scalar === "string"),
  ISNONTEXT: asks((scalar) => typeof scalar !== "string"),
  ISLOGICAL: asks((scalar) => typeof scalar === "boolean"),
  ISERROR: asks((scalar) => scalar instanceof SheetError),
  ISERR: asks((scalar) => scalar instanceof SheetError && scalar.code !== "#N/A"),
  ISNA: asks((scalar) => scalar instanceof SheetError && scalar.code === "#N/A"),
  ISEVEN: each(1, 1, ([value]) => Math.trunc(toNumber(given(value))) % 2 === 0),
  ISODD: each(1, 1, ([value]) => Math.trunc(toNumber(given(value))) % 2 !== 0),
  N: whole(1, 1, ([value]) => {
    const scalar = firstOf(given(value));
    if (scalar instanceof SheetError) return scalar;
    return typeof scalar === "string" ? 0 : toNumber(scalar);
  }),
  TYPE: whole(1, 1, ([value]) => given(types.find(([, is]) => is(firstOf(given(value)))))[0]),
  "ERROR.TYPE": whole(1, 1, ([value]) => {
    const scalar = firstOf(given(value));
    const place = scalar instanceof SheetError ? errorNumbers.indexOf(scalar.code) : -1;
    return place < 0 ? errorOf("#N/A") : place + 1;
  }),
};
