import { toNumber } from "../coerce.ts";
import { errorOf, firstOf, isMatrix, type Scalar, SheetDate, SheetError, type Value } from "../value.ts";

/** The context of a function call. */
export interface CallContext {
  /** The cell that holds the formula, counted from 0. */
  readonly row: number;
  readonly column: number;
  /** The time in milliseconds since 1970, in the clock of whoever looks. */
  readonly now: () => number;
  readonly spend: Spend;
}

/** Counts work that grows with the arguments; throws when a sheet has done too much. */
export type Spend = (steps: number) => void;

export interface SheetFunction {
  readonly least: number;
  readonly most: number;
  readonly run: (args: readonly Value[], context: CallContext) => Value;
}

export type Functions = Readonly<Record<string, SheetFunction>>;

const MANY = 255;

/** A function that takes its arguments as they are, ranges whole. */
export const whole = (least: number, most: number | "many", run: SheetFunction["run"]): SheetFunction => ({
  least,
  most: most === "many" ? MANY : most,
  run,
});

/** A function of single values: of a range it gives a result for each. An error among its values is its result. */
export function each(
  least: number,
  most: number,
  run: (args: readonly Scalar[], context: CallContext) => Scalar,
): SheetFunction {
  const one = (args: readonly Scalar[], context: CallContext): Scalar => {
    const failed = args.find((arg) => arg instanceof SheetError);
    return failed ?? caught(() => run(args, context));
  };
  return { least, most, run: (args, context) => broadcast(args, (scalars) => one(scalars, context), context) };
}

/** The same for functions of numbers alone. */
export const numeric = (least: number, most: number, run: (...numbers: number[]) => number): SheetFunction =>
  each(least, most, (args) => {
    const result = run(...args.map((arg) => toNumber(arg)));
    return Number.isFinite(result) ? result : errorOf("#NUM!");
  });

/** Converts a thrown error into an error value. */
export function caught<T extends Value>(run: () => T): T | SheetError {
  try {
    return run();
  } catch (error) {
    if (error instanceof SheetError && error.code !== "#LIMIT!") return error;
    throw error;
  }
}

/**
 * Applies a function of single values to ranges, value by value; a row or column of one counts for all. The function must
 * not keep its list of arguments.
 */
export function broadcast(
  args: readonly Value[],
  one: (args: readonly Scalar[]) => Scalar,
  context: CallContext,
): Value {
  if (!args.some(isMatrix)) return one(args.map(firstOf));
  let [height, width] = [1, 1];
  for (const arg of args)
    if (isMatrix(arg)) {
      height = Math.max(height, arg.rows.length);
      width = Math.max(width, arg.rows[0]?.length ?? 0);
    }
  context.spend(height * width);
  // Plain loops and one list of arguments for all: this is where formulas over long columns spend their time.
  const scalars: Scalar[] = [];
  const rows: Scalar[][] = [];
  for (let row = 0; row < height; row++) {
    const line: Scalar[] = [];
    for (let column = 0; column < width; column++) {
      for (let i = 0; i < args.length; i++) scalars[i] = scalarAt(args[i] ?? null, row, column);
      line.push(one(scalars));
    }
    rows.push(line);
  }
  return { rows };
}

function scalarAt(arg: Value, row: number, column: number): Scalar {
  if (!isMatrix(arg)) return arg;
  const line = arg.rows[arg.rows.length === 1 ? 0 : row];
  const value = line?.[line.length === 1 ? 0 : column];
  return value === undefined ? errorOf("#N/A") : value;
}

/** Days stay days where every number that went in was one. */
export const likeInput = (args: readonly Value[], result: number): Scalar => {
  let isDay = false;
  for (const arg of args)
    for (const scalar of isMatrix(arg) ? arg.rows.flat() : [arg]) {
      if (typeof scalar === "number") return result;
      isDay ||= scalar instanceof SheetDate;
    }
  return isDay ? new SheetDate(result) : result;
};

/** Throws unless a condition holds. */
export function demand(condition: boolean, code: "#NUM!" | "#VALUE!" | "#DIV/0!" | "#N/A" | "#REF!" = "#NUM!"): void {
  if (!condition) throw errorOf(code);
}
