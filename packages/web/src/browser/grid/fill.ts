import { defined } from "@svc/document/defined";
import { writeNumber } from "@svc/document/sheet/coerce";
import { readDateTime, writeDate } from "@svc/document/sheet/dates";
import { readNumber } from "@svc/document/sheet/read-text";
import { shiftFormula } from "@svc/document/sheet/rewrite-formula";
import { isFormulaText } from "@svc/document/sheet/workbook";
import type { CellChange } from "./sheet-model.ts";

/**
 * How a run of cells goes on: numbers by their step, days by theirs (one day alone by one day), formulas with their
 * references going along, anything else over and over. `along` says which way the references go.
 */
function continueRun(run: readonly string[], count: number, along: "row" | "column"): string[] {
  const series = dayStep(run) ?? numberStep(run);
  return Array.from({ length: count }, (_, i) => {
    if (series) return series(run.length + i);
    const source = defined(run[i % run.length]);
    const distance = run.length + i - (i % run.length);
    if (!isFormulaText(source)) return source;
    return along === "row" ? shiftFormula(source, distance, 0) : shiftFormula(source, 0, distance);
  });
}

type Read = (row: number, column: number) => string;

/** How the cells that stand in some rows of a column go on in further ones. */
export const continueDown = (
  read: Read,
  column: number,
  from: readonly number[],
  to: readonly number[],
): CellChange[] => {
  const run = from.map((row) => read(row, column));
  return continueRun(run, to.length, "row").map((text, i) => ({ row: defined(to[i]), column, text }));
};

/** A block of cells filled from its first row or column. */
export function fillBlock(
  read: Read,
  rows: readonly number[],
  columns: readonly number[],
  along: "row" | "column",
): CellChange[] {
  if (along === "row") return columns.flatMap((column) => continueDown(read, column, rows.slice(0, 1), rows.slice(1)));
  const [first, ...more] = columns;
  return rows.flatMap((row) =>
    continueRun([read(row, defined(first))], more.length, "column").map((text, i) => ({
      row,
      column: defined(more[i]),
      text,
    })),
  );
}

type Series = (index: number) => string;

function numberStep(run: readonly string[]): Series | undefined {
  const numbers = run.flatMap((text) => (text === "" ? [] : (readNumber(text) ?? [])));
  return run.length < 2 || numbers.length < run.length ? undefined : byStep(numbers, writeNumber);
}

function dayStep(run: readonly string[]): Series | undefined {
  const days = run.flatMap((text) => readDateTime(text) ?? []);
  if (days.length < run.length) return undefined;
  return days.length === 1 ? (index) => writeDate(defined(days[0]) + index) : byStep(days, writeDate);
}

/** Undefined unless all steps are equal. */
function byStep(numbers: readonly number[], write: (number: number) => string): Series | undefined {
  const step = defined(numbers[1]) - defined(numbers[0]);
  const isEven = numbers.every((number, i) => i === 0 || Math.abs(number - defined(numbers[i - 1]) - step) < 1e-9);
  return isEven ? (index) => write(defined(numbers[0]) + step * index) : undefined;
}
