import { writeScalar } from "./coerce.ts";
import { readDateTime } from "./dates.ts";
import { evaluate, type Scope } from "./evaluate.ts";
import { given } from "./given.ts";
import { type Expression, parseFormula } from "./parse.ts";
import { readNumber, readText } from "./read-text.ts";
import { MAX_ROWS, rangeOf } from "./reference.ts";
import { columnOf, type SheetSource } from "./table-source.ts";
import { type ErrorCode, errorOf, firstOf, type Matrix, type Scalar, SheetDate, SheetError } from "./value.ts";

/** Cells that all formulas of a workbook may look at, together. Beyond that they give `#LIMIT!`. */
const MAX_STEPS = 5_000_000;
/** Cells of one range. */
const MAX_RANGE = 2_000_000;

interface WorkbookOptions {
  /** The time in milliseconds since 1970, in the clock of whoever looks: what TODAY and NOW give. */
  readonly now: number;
  readonly maxSteps?: number;
}

interface Place {
  readonly sheet: number;
  readonly row: number;
  readonly column: number;
}

/** Parsed formulas by their text: an edit computes the sheet again, and most formulas are as they were. */
const parsed = new Map<string, Expression | ErrorCode>();
const MAX_PARSED = 20_000;

function parse(source: string): Expression | ErrorCode {
  const cached = parsed.get(source);
  if (cached !== undefined) return cached;
  if (parsed.size >= MAX_PARSED) parsed.clear();
  const expression = parseFormula(source);
  parsed.set(source, expression);
  return expression;
}

const OPEN = Symbol("open");
const EMPTY_ROW: readonly Scalar[] = [];

/** The results of sheets. A cell is computed when it is asked for, together with what it needs. */
export class Workbook {
  readonly sheets: readonly SheetSource[];
  readonly #now: number;
  #stepsLeft: number;
  readonly #byName: ReadonlyMap<string, number>;
  readonly #results: Map<number, Scalar | typeof OPEN>[];
  /** Rows that hold formulas, by sheet and column, rising. */
  readonly #formulas: readonly ReadonlyMap<number, readonly number[]>[];

  constructor(sheets: readonly SheetSource[], { now, maxSteps = MAX_STEPS }: WorkbookOptions) {
    this.sheets = sheets;
    this.#now = now;
    this.#stepsLeft = maxSteps;
    // The first of several with one name is the one that is meant.
    this.#byName = new Map(sheets.map(({ name }, index): [string, number] => [name.toLowerCase(), index]).reverse());
    this.#results = sheets.map(() => new Map());
    this.#formulas = sheets.map(formulaRows);
  }

  /** The value of a cell, all counted from 0. */
  value(sheet: number, row: number, column: number): Scalar {
    const place = { sheet, row, column };
    if (!this.isFormula(sheet, row, column)) return this.#plain(place);
    const cached = given(this.#results[sheet]).get(keyOf(place));
    if (cached !== undefined && cached !== OPEN) return cached;
    this.#compute(place);
    return this.#known(place);
  }

  /** What a cell shows: its text, or what its formula gives. */
  shown(sheet: number, row: number, column: number): string {
    const source = this.sheets[sheet]?.rows[row]?.[column] ?? "";
    if (!this.isFormula(sheet, row, column)) return source.startsWith("'") ? source.slice(1) : source;
    const value = this.value(sheet, row, column);
    const { type } = columnOf(given(this.sheets[sheet]), column);
    if (type === "date" && typeof value === "number" && value >= 0) return writeScalar(new SheetDate(value));
    if (type === "number" && value instanceof SheetDate) return writeScalar(value.serial);
    return writeScalar(value);
  }

  isFormula(sheet: number, row: number, column: number): boolean {
    const source = this.sheets[sheet];
    const text = source?.rows[row]?.[column];
    return text !== undefined && isFormulaText(text) && !isTextColumn(given(source), column);
  }

  #plain({ sheet, row, column }: Place): Scalar {
    const source = this.sheets[sheet];
    const text = source?.rows[row]?.[column];
    if (source === undefined || text === undefined || text === "") return null;
    return source.hasHeader && row === 0 ? readText(text) : readTyped(text, columnOf(source, column).type);
  }

  #known(place: Place): Scalar {
    if (!this.isFormula(place.sheet, place.row, place.column)) return this.#plain(place);
    const result = given(this.#results[place.sheet]).get(keyOf(place));
    return result === undefined || result === OPEN ? errorOf("#CIRC!") : result;
  }

  /** Computes a cell after everything it refers to. No recursion: formulas may build on each other thousands deep. */
  #compute(target: Place): void {
    const stack: Place[] = [target];
    while (stack.length > 0) {
      const place = given(stack.at(-1));
      const results = given(this.#results[place.sheet]);
      const state = results.get(keyOf(place));
      if (state !== undefined && state !== OPEN) {
        stack.pop();
        continue;
      }
      const expression = parse(given(given(given(this.sheets[place.sheet]).rows[place.row])[place.column]));
      if (typeof expression === "string") {
        results.set(keyOf(place), errorOf(expression));
        continue;
      }
      if (state === undefined) {
        results.set(keyOf(place), OPEN);
        try {
          if (this.#pushNeeds(expression, place, stack)) continue;
        } catch (error) {
          if (!(error instanceof SheetError)) throw error;
          results.set(keyOf(place), error);
          continue;
        }
      }
      if (results.get(keyOf(place)) === OPEN) results.set(keyOf(place), this.#run(expression, place));
    }
  }

  /** Puts what is not computed yet on the stack; a cell that is being computed closes a circle, which fails as a whole. */
  #pushNeeds(expression: Expression, place: Place, stack: Place[]): boolean {
    const before = stack.length;
    for (const need of this.#needs(expression, place.sheet)) {
      const state = given(this.#results[need.sheet]).get(keyOf(need));
      if (state === undefined) stack.push(need);
      else if (state === OPEN) {
        stack.length = before;
        this.#failCircle(need, stack);
        return true;
      }
    }
    return stack.length > before;
  }

  #failCircle(from: Place, stack: readonly Place[]): void {
    const isSame = (a: Place) => a.sheet === from.sheet && a.row === from.row && a.column === from.column;
    for (let i = stack.length - 1; i >= 0; i--) {
      const place = given(stack[i]);
      const results = given(this.#results[place.sheet]);
      if (results.get(keyOf(place)) === OPEN) results.set(keyOf(place), errorOf("#CIRC!"));
      if (isSame(place)) return;
    }
  }

  /** Cells with formulas that an expression refers to. */
  *#needs(expression: Expression, own: number): Generator<Place> {
    switch (expression.kind) {
      case "cell": {
        const sheet = this.#sheetOf(expression.sheet, own);
        const { row, column } = expression.cell;
        if (sheet !== undefined && this.isFormula(sheet, row, column)) yield { sheet, row, column };
        return;
      }
      case "range": {
        const sheet = this.#sheetOf(expression.sheet, own);
        if (sheet !== undefined) yield* this.#formulasIn(sheet, expression);
        return;
      }
      case "unary":
        yield* this.#needs(expression.of, own);
        return;
      case "binary":
        yield* this.#needs(expression.left, own);
        yield* this.#needs(expression.right, own);
        return;
      case "call":
        for (const arg of expression.args) yield* this.#needs(arg, own);
    }
  }

  *#formulasIn(sheet: number, { from, to }: Extract<Expression, { kind: "range" }>): Generator<Place> {
    const { top, bottom, left, right } = rangeOf(from, to);
    for (const [column, rows] of given(this.#formulas[sheet])) {
      if (column < left || column > right) continue;
      this.#spend(rows.length);
      for (const row of rows) if (row >= top && row <= bottom) yield { sheet, row, column };
    }
  }

  #sheetOf(name: string | undefined, own: number): number | undefined {
    return name === undefined ? own : this.#byName.get(name.toLowerCase());
  }

  readonly #spend = (steps: number): void => {
    this.#stepsLeft -= steps;
    if (this.#stepsLeft < 0) throw errorOf("#LIMIT!");
  };

  #run(expression: Expression, place: Place): Scalar {
    const scope: Scope = {
      row: place.row,
      column: place.column,
      now: this.#now,
      spend: this.#spend,
      cell: (name, row, column) => {
        const sheet = this.#sheetOf(name, place.sheet);
        return sheet === undefined ? errorOf("#REF!") : this.#known({ sheet, row, column });
      },
      range: (range) => this.#range(range, place.sheet),
    };
    try {
      this.#spend(1);
      const result = firstOf(evaluate(expression, scope));
      // What refers to an empty cell alone shows 0, as everywhere.
      return result === null ? 0 : Object.is(result, -0) ? 0 : result;
    } catch (error) {
      if (error instanceof SheetError) return error;
      throw error;
    }
  }

  #range({ sheet: name, from, to }: Extract<Expression, { kind: "range" }>, own: number): Matrix | SheetError {
    const sheet = this.#sheetOf(name, own);
    if (sheet === undefined) return errorOf("#REF!");
    const range = rangeOf(from, to);
    const height = given(this.sheets[sheet]).rows.length;
    // Whole columns end where the sheet does.
    const bottom = range.bottom === MAX_ROWS - 1 ? Math.max(range.top, height - 1) : range.bottom;
    const width = range.right - range.left + 1;
    const count = (bottom - range.top + 1) * width;
    if (count > MAX_RANGE) return errorOf("#LIMIT!");
    this.#spend(count);
    const empty = Array.from<Scalar>({ length: width }).fill(null);
    const rows = Array.from({ length: bottom - range.top + 1 }, (_, i) => {
      const row = range.top + i;
      if (row >= height) return empty;
      return empty.map((_, j) => this.#known({ sheet, row, column: range.left + j }));
    });
    return { rows: rows.length > 0 ? rows : [EMPTY_ROW], origin: { row: range.top, column: range.left } };
  }
}

/** Room for every column that there can be. */
const keyOf = ({ row, column }: Place): number => row * 16_384 + column;

export const isFormulaText = (text: string): boolean => text.length > 1 && text.startsWith("=");

const isTextColumn = (sheet: SheetSource, column: number): boolean => columnOf(sheet, column).type === "text";

/** What a text means in a column of a type. What does not fit its column is a text. */
export function readTyped(text: string, type: SheetSource["columns"][number]["type"]): Scalar {
  switch (type) {
    case "text":
    case "choice":
      return text;
    case "number":
      return readNumber(text) ?? text;
    case "date": {
      const serial = readDateTime(text);
      return serial === undefined ? text : new SheetDate(serial);
    }
    case "check":
      return /^(true|yes|x|1|☑|✓)$/i.test(text.trim()) ? true : /^(false|no|0|☐)?$/i.test(text.trim()) ? false : text;
    case "auto":
      return readText(text);
  }
}

function formulaRows(sheet: SheetSource): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>();
  for (const [row, line] of sheet.rows.entries())
    for (const [column, text] of line.entries()) {
      if (!isFormulaText(text) || isTextColumn(sheet, column)) continue;
      const rows = found.get(column);
      if (rows) rows.push(row);
      else found.set(column, [row]);
    }
  return found;
}
