import { toNumber } from "../coerce.ts";
import { compare } from "../compare.ts";
import { given } from "../given.ts";
import { readText } from "../read-text.ts";
import { firstOf, isMatrix, type Scalar, SheetError, type Value } from "../value.ts";
import { demand, type Functions, likeInput, type SheetFunction, type Spend, whole } from "./define.ts";
import { hasWildcard, wildcardMatcher } from "./wildcard.ts";

const CONDITION = /^(<>|<=|>=|=|<|>)?(.*)$/s;

/** The criteria of COUNTIF and its relatives: `">5"`, `"<>open"`, `"a*"`, 7. */
export function conditionOf(criterion: Value, spend: Spend = () => undefined): (scalar: Scalar) => boolean {
  const wanted = firstOf(criterion);
  if (typeof wanted !== "string") return (scalar) => isEqual(scalar, wanted ?? 0);
  const [, sign = "=", text = ""] = CONDITION.exec(wanted) ?? [];
  const value = readText(text);
  const isLike = likeOf(value, spend);
  if (sign === "=") return text === "" ? (scalar) => scalar === null || scalar === "" : isLike;
  if (sign === "<>") return text === "" ? (scalar) => scalar !== null && scalar !== "" : (scalar) => !isLike(scalar);
  return (scalar) => isSameKind(scalar, value) && holds(sign, compare(scalar, value));
}

const holds = (sign: string, order: number): boolean =>
  sign === "<" ? order < 0 : sign === ">" ? order > 0 : sign === "<=" ? order <= 0 : order >= 0;

const isEqual = (scalar: Scalar, value: Scalar): boolean => isSameKind(scalar, value) && compare(scalar, value) === 0;

function likeOf(value: Scalar, spend: Spend): (scalar: Scalar) => boolean {
  if (typeof value !== "string" || !hasWildcard(value)) return (scalar) => isEqual(scalar, value);
  const fits = wildcardMatcher(value, spend);
  return (scalar) => typeof scalar === "string" && fits(scalar);
}

const kindOf = (scalar: Scalar): string => {
  if (scalar === null || scalar instanceof SheetError) return scalar === null ? "empty" : scalar.code;
  return typeof scalar === "string" || typeof scalar === "boolean" ? typeof scalar : "number";
};
const isSameKind = (a: Scalar, b: Scalar): boolean => kindOf(a) === kindOf(b);

const flat = (value: Value): readonly Scalar[] => (isMatrix(value) ? value.rows.flat() : [value]);

/** Places where every range of `[range, criterion, range, criterion…]` meets its criterion. */
function placesOf(args: readonly Value[], spend: Spend): number[] {
  demand(args.length % 2 === 0, "#VALUE!");
  let places: number[] | undefined;
  let length: number | undefined;
  for (let i = 0; i < args.length; i += 2) {
    const values = flat(given(args[i]));
    length ??= values.length;
    demand(values.length === length, "#VALUE!");
    spend(values.length);
    const meets = conditionOf(given(args[i + 1]), spend);
    places = (places ?? values.map((_, place) => place)).filter((place) => meets(given(values[place])));
  }
  return places ?? [];
}

/** Numbers of a range at places; what is no number counts for nothing. */
function numbersAt(range: Value, places: readonly number[]): number[] {
  const values = flat(range);
  return places.flatMap((place) => {
    const value = values[place] ?? null;
    if (value instanceof SheetError) throw value;
    return typeof value === "number" || (typeof value === "object" && value !== null) ? toNumber(value) : [];
  });
}

const total = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
const mean = (numbers: readonly number[]): number => {
  demand(numbers.length > 0, "#DIV/0!");
  return total(numbers) / numbers.length;
};

/** `NAMEIF(range, criterion, numbers?)`. */
const ifOne = (run: (numbers: number[]) => number): SheetFunction =>
  whole(2, 3, ([range, criterion, numbers = given(range)], { spend }) =>
    run(numbersAt(numbers, placesOf([given(range), given(criterion)], spend))),
  );

/** `NAMEIFS(numbers, range, criterion, …)`. */
const ifAll = (run: (numbers: number[]) => number): SheetFunction =>
  whole(3, "many", ([numbers, ...rest], { spend }) =>
    likeInput([given(numbers)], run(numbersAt(given(numbers), placesOf(rest, spend)))),
  );

export const criteriaFunctions: Functions = {
  COUNTIF: whole(2, 2, (args, { spend }) => placesOf(args, spend).length),
  COUNTIFS: whole(2, "many", (args, { spend }) => placesOf(args, spend).length),
  SUMIF: ifOne(total),
  SUMIFS: ifAll(total),
  AVERAGEIF: ifOne(mean),
  AVERAGEIFS: ifAll(mean),
  MINIFS: ifAll((numbers) => numbers.reduce((a, b) => Math.min(a, b), numbers[0] ?? 0)),
  MAXIFS: ifAll((numbers) => numbers.reduce((a, b) => Math.max(a, b), numbers[0] ?? 0)),
};
