import { writeNumber } from "@svc/document/sheet/coerce";
import { readDateTime, writeDate } from "@svc/document/sheet/dates";
import { readNumber } from "@svc/document/sheet/read-text";
import { shiftFormula } from "@svc/document/sheet/rewrite-formula";
import { isFormulaText } from "@svc/document/sheet/workbook";

/**
 * How a run of cells goes on: numbers by their step, days by theirs (one day alone by one day), formulas with their
 * references going along, anything else over and over. `along` says which way the references go.
 */
export function continueRun(run: readonly string[], count: number, along: "row" | "column"): string[] {
  const series = dayStep(run) ?? numberStep(run);
  return Array.from({ length: count }, (_, i) => {
    if (series) return series(run.length + i);
    const source = run[i % run.length]!;
    const distance = run.length + i - (i % run.length);
    if (!isFormulaText(source)) return source;
    return along === "row" ? shiftFormula(source, distance, 0) : shiftFormula(source, 0, distance);
  });
}

type Series = (index: number) => string;

function numberStep(run: readonly string[]): Series | undefined {
  const numbers = run.map((text) => (text === "" ? undefined : readNumber(text)));
  if (run.length < 2 || numbers.some((number) => number === undefined)) return undefined;
  return byStep(numbers as number[], writeNumber);
}

function dayStep(run: readonly string[]): Series | undefined {
  const days = run.map((text) => readDateTime(text));
  if (days.some((day) => day === undefined)) return undefined;
  return days.length === 1 ? (index) => writeDate(days[0]! + index) : byStep(days as number[], writeDate);
}

/** Undefined unless all steps are equal. */
function byStep(numbers: readonly number[], write: (number: number) => string): Series | undefined {
  const step = numbers[1]! - numbers[0]!;
  const isEven = numbers.every((number, i) => i === 0 || Math.abs(number - numbers[i - 1]! - step) < 1e-9);
  return isEven ? (index) => write(numbers[0]! + step * index) : undefined;
}
