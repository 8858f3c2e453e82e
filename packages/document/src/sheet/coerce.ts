import { readDateTime, writeDate } from "./dates.ts";
import { readNumber } from "./read-text.ts";
import { errorOf, firstOf, isMatrix, type Scalar, SheetDate, SheetError, type Value } from "./value.ts";

/** A value as a number; throws the error that the formula then has. */
export function toNumber(value: Value): number {
  const scalar = firstOf(value);
  if (typeof scalar === "number") return scalar;
  if (scalar === null) return 0;
  if (typeof scalar === "boolean") return scalar ? 1 : 0;
  if (scalar instanceof SheetDate) return scalar.serial;
  if (scalar instanceof SheetError) throw scalar;
  const number = readNumber(scalar) ?? readDateTime(scalar);
  if (number === undefined) throw errorOf("#VALUE!");
  return number;
}

export function toText(value: Value): string {
  const scalar = firstOf(value);
  if (scalar instanceof SheetError) throw scalar;
  return writeScalar(scalar);
}

export function toBoolean(value: Value): boolean {
  const scalar = firstOf(value);
  if (typeof scalar === "boolean") return scalar;
  if (typeof scalar === "string") {
    const upper = scalar.trim().toUpperCase();
    if (upper === "TRUE" || upper === "FALSE") return upper === "TRUE";
  }
  return toNumber(scalar) !== 0;
}

/** A number with at most 15 digits that count, as spreadsheets show it. */
export function writeNumber(number: number): string {
  if (Number.isInteger(number) && Math.abs(number) < 1e15) return String(number === 0 ? 0 : number);
  const short = Number(number.toPrecision(15));
  const text = String(short);
  return text.includes("e") ? text.replace("e", "E") : text;
}

/** Formats a value without an explicit format. */
export function writeScalar(value: Scalar): string {
  if (value === null) return "";
  if (typeof value === "string") return value;
  if (typeof value === "number") return writeNumber(value);
  if (typeof value === "boolean") return value ? "TRUE" : "FALSE";
  return value instanceof SheetDate ? writeDate(value.serial) : value.code;
}

export function* scalarsIn(values: Iterable<Value>): Generator<Scalar> {
  for (const value of values)
    if (isMatrix(value)) for (const row of value.rows) yield* row;
    else yield value;
}

/**
 * The numbers among arguments. Of a range only numbers and days count, whatever else is there; a value that is written
 * into the formula must be one. An error anywhere is the result.
 */
export function numbersIn(values: readonly Value[]): number[] {
  const numbers: number[] = [];
  for (const value of values) {
    if (!isMatrix(value)) {
      numbers.push(toNumber(value));
      continue;
    }
    for (const row of value.rows)
      for (const scalar of row) {
        if (typeof scalar === "number") numbers.push(scalar);
        else if (scalar instanceof SheetDate) numbers.push(scalar.serial);
        else if (scalar instanceof SheetError) throw scalar;
      }
  }
  return numbers;
}

/** A number that can be shown, or the error that it is instead. */
export const finiteOrError = (number: number): Scalar => (Number.isFinite(number) ? number : errorOf("#NUM!"));
