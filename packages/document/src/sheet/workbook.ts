import { writeScalar } from "./coerce.ts";
import { readDateTime } from "./dates.ts";
import { evaluate, type Scope } from "./evaluate.ts";
import { formatNumber } from "./format-number.ts";
import { given } from "./given.ts";
import { type Expression, parseFormula } from "./parse.ts";
import { readNumber, readText } from "./read-text.ts";
import { MAX_COLUMNS, MAX_ROWS, type Range, rangeOf } from "./reference.ts";
import { columnOf, type SheetSource } from "./table-source.ts";
import { type ErrorCode, errorOf, firstOf, type Matrix, type Scalar, SheetDate, SheetError } from "./value.ts";

/** Max cells that all formulas of a workbook may read together; further formulas result in `#LIMIT!`. */
const MAX_STEPS = 10_000_000;
/** Max characters of all text results together; further formulas result in `#LIMIT!` too. */
const MAX_CHARACTERS = 8_000_000;
/** Characters of a formula whose parsing counts as one step. */
const PARSED_PER_STEP = 4;
/** Max cells of one range. */
const MAX_RANGE = 2_000_000;

interface WorkbookOptions {
  /** The viewer's local time in milliseconds since 1970, for TODAY and NOW. */
  readonly now: number;
  readonly maxSteps?: number;
  /** Earlier results of the same sheets. */
  readonly results?: BookResults;
}

/** A result in a form that can be passed to another thread. */
type StoredResult = number | string | boolean | { readonly date: number } | { readonly error: ErrorCode };

/** The results of all formulas. */
export interface BookResults {
  /** For each sheet, pairs of a cell's key and its result. */
  readonly sheets: readonly (readonly (readonly [key: number, result: StoredResult])[])[];
  /** Whether some results change with time. */
  readonly isVolatile: boolean;
}

interface Place {
  readonly sheet: number;
  readonly row: number;
  readonly column: number;
}

/** A formula that is being computed. */
interface Frame {
  readonly place: Place;
  readonly expression: Expression;
  /** Cells with formulas that this formula refers to and that were not visited yet. */
  readonly needs: Generator<Place, void>;
  /** Frames are numbered in order of creation; `reaches` is the lowest number in the same cycle found so far. */
  readonly number: number;
  reaches: number;
  needsItself?: boolean;
  failure?: SheetError;
}

/** A formula with the references in it. */
interface Parsed {
  readonly expression: Expression;
  readonly references: readonly Reference[];
}

/** Parsed formulas by their text: an edit recomputes the sheet, and most formulas are unchanged. */
const parsed = new Map<string, Parsed | ErrorCode>();
/** Max characters of the cached formulas. A parsed formula takes about fifty times the memory of its text. */
const MAX_PARSED_CHARACTERS = 500_000;
let parsedCharacters = 0;

function parse(source: string): Parsed | ErrorCode {
  const cached = parsed.get(source);
  if (cached !== undefined) return cached;
  parsedCharacters += source.length;
  if (parsedCharacters > MAX_PARSED_CHARACTERS) {
    parsed.clear();
    parsedCharacters = source.length;
  }
  const expression = parseFormula(source);
  const made = typeof expression === "string" ? expression : { expression, references: referencesIn(expression) };
  parsed.set(source, made);
  return made;
}

type Reference = Extract<Expression, { kind: "cell" | "range" }>;

/** Lists references in the order in which they are written. Not recursive: a sum of thousands is nested as deep. */
function referencesIn(whole: Expression): readonly Reference[] {
  const found: Reference[] = [];
  const open = [whole];
  for (let expression = open.pop(); expression !== undefined; expression = open.pop()) {
    if (expression.kind === "cell" || expression.kind === "range") found.push(expression);
    else if (expression.kind === "unary") open.push(expression.of);
    else if (expression.kind === "binary") open.push(expression.right, expression.left);
    else if (expression.kind === "call") open.push(...expression.args.toReversed());
    else if (expression.kind === "list") open.push(...expression.rows.flat().reverse());
  }
  return found;
}

const FORMULA = Symbol("formula");
const EMPTY_ROW: readonly Scalar[] = [];

/** Adjacent cells of a row. */
type Slice = readonly Scalar[];

/** Computes the results of sheets. A cell is computed on its first read, after the cells that it depends on. */
export class Workbook {
  readonly sheets: readonly SheetSource[];
  readonly #now: number;
  #stepsLeft: number;
  #isVolatile = false;
  #charactersLeft = MAX_CHARACTERS;
  readonly #byName: ReadonlyMap<string, number>;
  readonly #results: Map<number, Scalar>[];
  /** Cell contents by sheet and row, read on first use. */
  readonly #held: (Scalar | typeof FORMULA)[][][];
  /** Cached parts of rows, by sheet, first and last column, and row: running totals read them repeatedly. */
  readonly #slices: Map<number, Slice[]>[];
  /** Rows with formulas, by sheet and column, in ascending order. */
  readonly #formulas: readonly ReadonlyMap<number, readonly number[]>[];

  constructor(sheets: readonly SheetSource[], { now, maxSteps = MAX_STEPS, results }: WorkbookOptions) {
    this.sheets = sheets;
    this.#now = now;
    this.#stepsLeft = maxSteps;
    // If sheets share a name, it refers to the first of them.
    this.#byName = new Map(sheets.map(({ name }, index): [string, number] => [name.toLowerCase(), index]).reverse());
    this.#results = sheets.map((_, sheet) => new Map(results?.sheets[sheet]?.map(revived)));
    this.#held = sheets.map(() => []);
    this.#slices = sheets.map(() => new Map());
    this.#formulas = sheets.map(formulaRows);
  }

  /** The value of a cell; sheet, row and column count from 0. */
  value(sheet: number, row: number, column: number): Scalar {
    const place = { sheet, row, column };
    const held = this.#holds(place);
    if (held !== FORMULA) return held;
    if (this.#result(place) === undefined) this.#compute(place);
    return this.#known(place);
  }

  /** Whether the formulas together have exceeded the step limit. */
  get isExhausted(): boolean {
    return this.#stepsLeft < 0;
  }

  /** The results of all formulas. */
  results(): BookResults {
    const sheets = this.#formulas.map((columns, sheet) => {
      for (const [column, rows] of columns) for (const row of rows) this.value(sheet, row, column);
      return [...given(this.#results[sheet])].map(stored);
    });
    return { sheets, isVolatile: this.#isVolatile };
  }

  /** The displayed value of a cell: its text, or its formula's result. */
  shown(sheet: number, row: number, column: number): string {
    const source = this.sheets[sheet]?.rows[row]?.[column] ?? "";
    if (!this.isFormula(sheet, row, column)) return source.startsWith("'") ? source.slice(1) : source;
    const value = this.value(sheet, row, column);
    const { type } = columnOf(given(this.sheets[sheet]), column);
    if (type === "date" && typeof value === "number" && value >= 0) return writeScalar(new SheetDate(value));
    if (type === "number" && value instanceof SheetDate) return writeScalar(value.serial);
    return writeScalar(value);
  }

  /** The text of a cell as its column's format shows it. */
  display(sheet: number, row: number, column: number): string {
    const source = this.sheets[sheet];
    const format = source?.formats?.[column];
    if (format === undefined || (row === 0 && source?.hasHeader)) return this.shown(sheet, row, column);
    const value = this.value(sheet, row, column);
    const isFormatted = typeof value === "number" || value instanceof SheetDate;
    return isFormatted ? formatNumber(value, format) : this.shown(sheet, row, column);
  }

  isFormula(sheet: number, row: number, column: number): boolean {
    const source = this.sheets[sheet];
    const text = source?.rows[row]?.[column];
    return text !== undefined && isFormulaText(text) && !isTextColumn(given(source), column);
  }

  #holds({ sheet, row, column }: Place): Scalar | typeof FORMULA {
    const source = this.sheets[sheet];
    const text = source?.rows[row]?.[column];
    if (source === undefined || text === undefined || text === "") return null;
    const known = this.#held[sheet]?.[row]?.[column];
    if (known !== undefined) return known;
    const held = readCell(source, row, column, text);
    const rows = given(this.#held[sheet]);
    rows[row] ??= [];
    given(rows[row])[column] = held;
    return held;
  }

  #known(place: Place): Scalar {
    const held = this.#holds(place);
    return held === FORMULA ? (this.#result(place) ?? errorOf("#CIRC!")) : held;
  }

  /** The result of a formula; undefined if it is not computed yet. */
  #result(place: Place): Scalar | undefined {
    return given(this.#results[place.sheet]).get(keyOf(place));
  }

  /**
   * Computes a cell after every cell that it depends on. The cells of a cycle all fail, whichever of them is read first
   * (Tarjan's strongly connected components). Not recursive: formulas may depend on each other thousands of levels
   * deep.
   */
  #compute(target: Place): void {
    const frames = new Map<number, Frame>();
    /** `path` leads from the target to the current cell; `undecided` has all cells whose cycle may still grow. */
    const path: Frame[] = [];
    const undecided: Frame[] = [];
    const enter = (place: Place): void => {
      const frame = this.#frameOf(place, frames.size);
      if (frame === undefined) return;
      frames.set(cellKey(place), frame);
      path.push(frame);
      undecided.push(frame);
    };
    enter(target);
    for (let frame = path.at(-1); frame !== undefined; frame = path.at(-1)) {
      const need = nextNeed(frame);
      if (need === undefined) {
        path.pop();
        const above = path.at(-1);
        if (above) above.reaches = Math.min(above.reaches, frame.reaches);
        if (frame.reaches === frame.number) this.#decide(undecided.splice(undecided.lastIndexOf(frame)));
      } else if (this.#result(need) === undefined) {
        const open = frames.get(cellKey(need));
        if (open === undefined) enter(need);
        else frame.reaches = Math.min(frame.reaches, open.number);
        if (open === frame) frame.needsItself = true;
      }
    }
  }

  /** Creates the frame of a formula. For an invalid formula, stores its error as the result and returns undefined. */
  #frameOf(place: Place, number: number): Frame | undefined {
    const { sheet, row, column } = place;
    const source = given(given(given(this.sheets[sheet]).rows[row])[column]);
    this.#stepsLeft -= source.length / PARSED_PER_STEP;
    const formula = this.isExhausted ? "#LIMIT!" : parse(source);
    if (typeof formula !== "string") {
      const { expression, references } = formula;
      return { place, expression, needs: this.#needs(references, sheet), number, reaches: number };
    }
    this.#put(place, errorOf(formula));
    return undefined;
  }

  /** Stores the results of a finished component: an error for each cell of a cycle, else the computed value. */
  #decide(cells: readonly Frame[]): void {
    const [first] = cells;
    const isCircle = cells.length > 1 || first?.needsItself === true;
    for (const { place, expression, failure } of cells)
      this.#put(place, isCircle ? errorOf("#CIRC!") : (failure ?? this.#run(expression, place)));
  }

  #put(place: Place, result: Scalar): void {
    given(this.#results[place.sheet]).set(keyOf(place), result);
  }

  /** The cells with formulas that a formula refers to. */
  *#needs(references: readonly Reference[], own: number): Generator<Place, void> {
    for (const reference of references) {
      const sheet = this.#sheetOf(reference.sheet, own);
      if (sheet === undefined) continue;
      if (reference.kind === "range") yield* this.#formulasIn(sheet, reference);
      else {
        const { row, column } = reference.cell;
        if (this.isFormula(sheet, row, column)) yield { sheet, row, column };
      }
    }
  }

  *#formulasIn(sheet: number, { from, to }: Extract<Expression, { kind: "range" }>): Generator<Place, void> {
    const { top, bottom, left, right } = rangeOf(from, to);
    for (const [column, rows] of given(this.#formulas[sheet])) {
      if (column < left || column > right) continue;
      const [start, end] = [firstFrom(rows, top), firstFrom(rows, bottom + 1)];
      this.#spend(end - start + 1);
      for (let i = start; i < end; i++) yield { sheet, row: given(rows[i]), column };
    }
  }

  #sheetOf(name: string | undefined, own: number): number | undefined {
    return name === undefined ? own : this.#byName.get(name.toLowerCase());
  }

  readonly #readNow = (): number => {
    this.#isVolatile = true;
    return this.#now;
  };

  readonly #spend = (steps: number): void => {
    this.#stepsLeft -= steps;
    if (this.#stepsLeft < 0) throw errorOf("#LIMIT!");
  };

  #run(expression: Expression, place: Place): Scalar {
    const scope: Scope = {
      row: place.row,
      column: place.column,
      now: this.#readNow,
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
      if (typeof result === "string") {
        this.#charactersLeft -= result.length;
        if (this.#charactersLeft < 0) return errorOf("#LIMIT!");
      }
      // A formula that refers only to an empty cell shows 0, as in other programs.
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
    // A whole-column range ends at the last row of the sheet.
    const bottom = range.bottom === MAX_ROWS - 1 ? Math.max(range.top, height - 1) : range.bottom;
    const width = range.right - range.left + 1;
    const count = (bottom - range.top + 1) * width;
    if (count > MAX_RANGE) return errorOf("#LIMIT!");
    this.#spend(count);
    const empty = Array.from<Scalar>({ length: width }).fill(null);
    const slices = this.#slicesOf(sheet, range);
    const rows: Slice[] = [];
    for (let row = range.top; row <= bottom; row++)
      rows.push(row >= height ? empty : (slices[row] ?? this.#slice(sheet, row, range, slices)));
    return { rows: rows.length > 0 ? rows : [EMPTY_ROW], origin: { row: range.top, column: range.left } };
  }

  #slicesOf(sheet: number, { left, right }: Columns): Slice[] {
    const all = given(this.#slices[sheet]);
    const key = left * MAX_COLUMNS + right;
    const known = all.get(key);
    if (known) return known;
    const slices: Slice[] = [];
    all.set(key, slices);
    return slices;
  }

  /** Cells whose formula is still being computed are not cached. */
  #slice(sheet: number, row: number, { left, right }: Columns, slices: Slice[]): Slice {
    const slice: Scalar[] = [];
    let isFinal = true;
    for (let column = left; column <= right; column++) {
      const place = { sheet, row, column };
      const held = this.#holds(place);
      const value = held === FORMULA ? this.#result(place) : held;
      if (value === undefined) isFinal = false;
      slice.push(value === undefined ? errorOf("#CIRC!") : value);
    }
    if (isFinal) slices[row] = slice;
    return slice;
  }
}

const stored = ([key, result]: readonly [number, Scalar]): readonly [number, StoredResult] => {
  if (result instanceof SheetDate) return [key, { date: result.serial }];
  return [key, result instanceof SheetError ? { error: result.code } : (result ?? 0)];
};

const revived = ([key, result]: readonly [number, StoredResult]): readonly [number, Scalar] => {
  if (typeof result !== "object") return [key, result];
  return [key, "date" in result ? new SheetDate(result.date) : errorOf(result.error)];
};

type Columns = Pick<Range, "left" | "right">;

/** A number that identifies a cell within its sheet. */
const keyOf = ({ row, column }: Place): number => row * MAX_COLUMNS + column;

/** A number that identifies a cell within the workbook. */
const cellKey = (place: Place): number => place.sheet * MAX_ROWS * MAX_COLUMNS + keyOf(place);

/** The next cell that a formula depends on; records an invalid reference as the formula's failure. */
function nextNeed(frame: Frame): Place | undefined {
  try {
    return frame.needs.next().value ?? undefined;
  } catch (error) {
    if (!(error instanceof SheetError)) throw error;
    frame.failure = error;
    return undefined;
  }
}

/** The index of the first number in an ascending list that is at least `least`. */
function firstFrom(rising: readonly number[], least: number): number {
  let [low, high] = [0, rising.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (given(rising[middle]) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

function readCell(sheet: SheetSource, row: number, column: number, text: string): Scalar | typeof FORMULA {
  if (isFormulaText(text) && !isTextColumn(sheet, column)) return FORMULA;
  return sheet.hasHeader && row === 0 ? readText(text) : readTyped(text, columnOf(sheet, column).type);
}

export const isFormulaText = (text: string): boolean => text.length > 1 && text.startsWith("=");

const isTextColumn = (sheet: SheetSource, column: number): boolean => columnOf(sheet, column).type === "text";

/** Parses a cell of a typed column. A value that does not fit the type stays text. */
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
