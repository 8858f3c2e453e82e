import { finiteOrError, toBoolean, toNumber, toText } from "./coerce.ts";
import { compare } from "./compare.ts";
import { broadcast, type CallContext, caught } from "./functions/define.ts";
import { functions } from "./functions/index.ts";
import { given } from "./given.ts";
import type { Expression } from "./parse.ts";
import { errorOf, firstOf, isMatrix, type Matrix, type Scalar, SheetDate, SheetError, type Value } from "./value.ts";

/** The cell in which a formula is computed. */
export interface Scope extends CallContext {
  readonly cell: (sheet: string | undefined, row: number, column: number) => Scalar;
  readonly range: (expression: Extract<Expression, { kind: "range" }>) => Matrix | SheetError;
}

/** Evaluates a formula. All cells it refers to are computed already. */
export function evaluate(expression: Expression, scope: Scope): Value {
  switch (expression.kind) {
    case "value":
      return expression.value;
    case "cell":
      // A single cell counts as a range of one, so that functions treat its text as they treat that of a range.
      return asRange(scope.cell(expression.sheet, expression.cell.row, expression.cell.column), expression.cell);
    case "range":
      return scope.range(expression);
    case "list":
      return { rows: expression.rows.map((row) => row.map((item) => firstOf(evaluate(item, scope)))) };
    case "unary":
      return broadcast([evaluate(expression.of, scope)], ([value]) => unary(expression.sign, given(value)), scope);
    case "binary":
      return chainOf(expression, scope);
    case "call":
      return call(expression.name, expression.args, scope);
  }
}

/** Operators group to the left, so a sum of thousands is nested as deep. It is computed without recursion. */
function chainOf(last: Extract<Expression, { kind: "binary" }>, scope: Scope): Value {
  const chain = [last];
  let first = last.left;
  for (; first.kind === "binary"; first = first.left) chain.push(first);
  return chain.reduceRight(
    (left, { sign, right }) => binaryOf(sign, left, evaluate(right, scope), scope),
    evaluate(first, scope),
  );
}

const asRange = (value: Scalar, { row, column }: { row: number; column: number }): Value => ({
  rows: [[value]],
  origin: { row, column },
});

/** Functions that compute an argument only when it is needed. */
const lazy: ReadonlyMap<string, (args: readonly Expression[], scope: Scope) => Value> = new Map([
  [
    "IF",
    ([condition, yes, no], scope) => {
      const asked = firstOf(evaluate(given(condition), scope));
      if (asked instanceof SheetError) return asked;
      const chosen = toBoolean(asked) ? yes : no;
      return chosen ? (emptyAsZero(evaluate(chosen, scope)) ?? 0) : toBoolean(asked);
    },
  ],
  [
    "IFS",
    (args, scope) => {
      for (let i = 0; i + 1 < args.length; i += 2) {
        const asked = firstOf(evaluate(given(args[i]), scope));
        if (asked instanceof SheetError) return asked;
        if (toBoolean(asked)) return evaluate(given(args[i + 1]), scope);
      }
      return errorOf("#N/A");
    },
  ],
  ["IFERROR", ([value, otherwise], scope) => unless(given(value), otherwise, scope, () => true)],
  ["IFNA", ([value, otherwise], scope) => unless(given(value), otherwise, scope, ({ code }) => code === "#N/A")],
  [
    "SWITCH",
    ([value, ...cases], scope) => {
      const wanted = firstOf(evaluate(given(value), scope));
      if (wanted instanceof SheetError) return wanted;
      let i = 0;
      for (; i + 1 < cases.length; i += 2)
        if (compare(wanted, firstOf(evaluate(given(cases[i]), scope))) === 0)
          return evaluate(given(cases[i + 1]), scope);
      return i < cases.length ? evaluate(given(cases[i]), scope) : errorOf("#N/A");
    },
  ],
  [
    "CHOOSE",
    ([index, ...choices], scope) => {
      const chosen = choices[Math.trunc(toNumber(evaluate(given(index), scope))) - 1];
      return chosen ? evaluate(chosen, scope) : errorOf("#VALUE!");
    },
  ],
]);

const lazyArguments: Readonly<Record<string, readonly [least: number, most: number]>> = {
  IF: [2, 3],
  IFS: [2, 254],
  IFERROR: [1, 2],
  IFNA: [1, 2],
  SWITCH: [3, 254],
  CHOOSE: [2, 255],
};

/** Every function by its name, as people look for them. */
export const functionNames: readonly string[] = [...functions.keys(), ...lazy.keys()].sort();

const emptyAsZero = (value: Value): Value => (firstOf(value) === null ? 0 : value);

function unless(
  value: Expression,
  otherwise: Expression | undefined,
  scope: Scope,
  is: (error: SheetError) => boolean,
): Value {
  const result = caught(() => evaluate(value, scope));
  const first = firstOf(result);
  return first instanceof SheetError && is(first) ? (otherwise ? evaluate(otherwise, scope) : "") : result;
}

/** Characters that a function or operator reads or returns for the price of looking at one cell. */
const CHARACTERS_PER_STEP = 8;

function charactersIn(values: readonly Value[]): number {
  let characters = 0;
  for (const value of values)
    if (typeof value === "string") characters += value.length;
    else if (isMatrix(value))
      for (const row of value.rows)
        for (const scalar of row) if (typeof scalar === "string") characters += scalar.length;
  return characters;
}

function call(name: string, args: readonly Expression[], scope: Scope): Value {
  const own = lazy.get(name);
  const bounds = own && lazyArguments[name];
  if (own && bounds)
    return args.length < bounds[0] || args.length > bounds[1] ? errorOf("#N/A") : caught(() => own(args, scope));
  const known = functions.get(name);
  if (!known) return errorOf("#NAME?");
  if (args.length < known.least || args.length > known.most) return errorOf("#N/A");
  const values = args.map((arg) => evaluate(arg, scope));
  scope.spend(charactersIn(values) / CHARACTERS_PER_STEP);
  const result = caught(() => known.run(values, scope));
  scope.spend(charactersIn([result]) / CHARACTERS_PER_STEP);
  return result;
}

function unary(sign: string, value: Scalar): Scalar {
  if (value instanceof SheetError) return value;
  if (sign === "+") return value;
  return caught(() => (sign === "%" ? toNumber(value) / 100 : -toNumber(value)));
}

const orders: Readonly<Record<string, (order: number) => boolean>> = {
  "=": (order) => order === 0,
  "<>": (order) => order !== 0,
  "<": (order) => order < 0,
  ">": (order) => order > 0,
  "<=": (order) => order <= 0,
  ">=": (order) => order >= 0,
};

function binaryOf(sign: string, left: Value, right: Value, scope: Scope): Value {
  scope.spend(charactersIn([left, right]) / CHARACTERS_PER_STEP);
  return broadcast([left, right], ([a, b]) => binary(sign, given(a), given(b)), scope);
}

function binary(sign: string, left: Scalar, right: Scalar): Scalar {
  if (left instanceof SheetError) return left;
  if (right instanceof SheetError) return right;
  const holds = orders[sign];
  if (holds) return holds(compare(left, right));
  return caught(() => (sign === "&" ? join(left, right) : arithmetic(sign, left, right)));
}

function join(left: Scalar, right: Scalar): Scalar {
  const text = toText(left) + toText(right);
  return text.length > 32_767 ? errorOf("#VALUE!") : text;
}

function arithmetic(sign: string, left: Scalar, right: Scalar): Scalar {
  const [a, b] = [toNumber(left), toNumber(right)];
  switch (sign) {
    case "+":
      return dayOrNumber(a + b, left instanceof SheetDate !== right instanceof SheetDate);
    case "-":
      return dayOrNumber(a - b, left instanceof SheetDate && !(right instanceof SheetDate));
    case "*":
      return finiteOrError(a * b);
    case "/":
      return b === 0 ? errorOf("#DIV/0!") : finiteOrError(a / b);
    default:
      return a === 0 && b === 0 ? errorOf("#NUM!") : finiteOrError(a ** b);
  }
}

/** A day and a number give a day. */
const dayOrNumber = (number: number, isDay: boolean): Scalar => (isDay ? new SheetDate(number) : finiteOrError(number));
