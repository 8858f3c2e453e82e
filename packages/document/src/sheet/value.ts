import { given } from "./given.ts";

/** Errors of formulas. `#CIRC!` is a formula that needs its own result, `#LIMIT!` a sheet that takes too long. */
const errorCodes = [
  "#NULL!",
  "#DIV/0!",
  "#VALUE!",
  "#REF!",
  "#NAME?",
  "#NUM!",
  "#N/A",
  "#CIRC!",
  "#LIMIT!",
  "#ERROR!",
] as const;
export type ErrorCode = (typeof errorCodes)[number];

/** One object per code, so that errors are compared as they are. */
export class SheetError extends Error {
  readonly code: ErrorCode;
  constructor(code: ErrorCode) {
    super(code);
    this.code = code;
  }
}

const made = new Map<string, SheetError>(errorCodes.map((code) => [code, new SheetError(code)]));
export const errorOf = (code: ErrorCode): SheetError => given(made.get(code));
export const readError = (text: string): SheetError | undefined => made.get(text.toUpperCase());

/** A day, and the part of it that has passed, counted from 1899-12-30 as spreadsheets do. */
export class SheetDate {
  readonly serial: number;
  constructor(serial: number) {
    this.serial = serial;
  }
}

/** `null` is an empty cell. */
export type Scalar = number | string | boolean | null | SheetDate | SheetError;

/** Values of a range or a list in braces. */
export interface Matrix {
  readonly rows: readonly (readonly Scalar[])[];
  /** The start of a range, counted from 0; absent for lists in braces and for results. */
  readonly origin?: { readonly row: number; readonly column: number };
}

export type Value = Scalar | Matrix;

export const isMatrix = (value: Value): value is Matrix =>
  typeof value === "object" && value !== null && "rows" in value;

/** The one value that a cell shows: of several, the first. */
export const firstOf = (value: Value): Scalar => (isMatrix(value) ? (value.rows[0]?.[0] ?? null) : value);
