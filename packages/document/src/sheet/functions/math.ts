import { finiteOrError, numbersIn, toNumber } from "../coerce.ts";
import { given } from "../given.ts";
import { errorOf, isMatrix, SheetDate, type Value } from "../value.ts";
import { demand, each, type Functions, numeric, whole } from "./define.ts";

/** Rounds away the noise of binary fractions first: 1.005 at two digits is 1.01. */
function roundAt(number: number, digits: number, round: (scaled: number) => number): number {
  const places = Math.trunc(digits);
  const factor = 10 ** Math.abs(places);
  const scaled = places >= 0 ? Math.abs(number) * factor : Math.abs(number) / factor;
  if (!Number.isFinite(scaled) || !Number.isFinite(factor)) return number;
  const rounded = round(Number(scaled.toPrecision(15)));
  return Math.sign(number) * (places >= 0 ? rounded / factor : rounded * factor);
}

const nearest = (scaled: number): number => Math.floor(scaled + 0.5);

/** To a multiple of `step`: the noise of binary fractions counts for nothing. */
const toStep = (number: number, step: number, round: (steps: number) => number): number => {
  if (step === 0) return 0;
  return Number((round(Number((number / step).toPrecision(15))) * step).toPrecision(15));
};

function greatest(a: number, b: number): number {
  let [x, y] = [Math.trunc(Math.abs(a)), Math.trunc(Math.abs(b))];
  while (y > 0) [x, y] = [y, x % y];
  return x;
}

function factorial(number: number): number {
  demand(number >= 0 && number < 171);
  let result = 1;
  for (let i = 2; i <= Math.trunc(number); i++) result *= i;
  return result;
}

/** Max steps for combinations. */
const MAX_FACTORS = 10_000;

function combinations(n: number, k: number): number {
  const [all, chosen] = [Math.trunc(n), Math.trunc(k)];
  demand(all >= 0 && chosen >= 0 && chosen <= all && Math.min(chosen, all - chosen) <= MAX_FACTORS);
  let result = 1;
  for (let i = 1; i <= Math.min(chosen, all - chosen); i++)
    result = (result * (all - Math.min(chosen, all - chosen) + i)) / i;
  return Math.round(result);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

function sumProduct(args: readonly Value[], spend: (steps: number) => void): number {
  const all = args.map((arg) => (isMatrix(arg) ? arg.rows : [[arg]]));
  const [first] = all;
  const [height, width] = [given(first).length, given(first)[0]?.length ?? 0];
  demand(
    all.every((rows) => rows.length === height && (rows[0]?.length ?? 0) === width),
    "#VALUE!",
  );
  spend(height * width * all.length);
  let total = 0;
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++)
      total += all.reduce((product, rows) => {
        const value = given(given(rows[row])[column]);
        if (value instanceof Error) throw value;
        return product * (typeof value === "number" ? value : value instanceof SheetDate ? value.serial : 0);
      }, 1);
  return total;
}

const inRange = (number: number): number => {
  demand(number >= -1 && number <= 1);
  return number;
};

export const mathFunctions: Functions = {
  ABS: numeric(1, 1, Math.abs),
  SIGN: numeric(1, 1, Math.sign),
  INT: numeric(1, 1, Math.floor),
  TRUNC: numeric(1, 2, (number, digits = 0) => roundAt(number, digits, Math.floor)),
  ROUND: numeric(1, 2, (number, digits = 0) => roundAt(number, digits, nearest)),
  ROUNDUP: numeric(1, 2, (number, digits = 0) => roundAt(number, digits, Math.ceil)),
  ROUNDDOWN: numeric(1, 2, (number, digits = 0) => roundAt(number, digits, Math.floor)),
  MROUND: numeric(2, 2, (number, step) => {
    demand(number * step >= 0);
    return toStep(number, step, nearest);
  }),
  CEILING: numeric(1, 2, (number, step = Math.sign(number) || 1) => {
    demand(number <= 0 || step >= 0);
    return toStep(number, step, Math.ceil);
  }),
  FLOOR: numeric(1, 2, (number, step = Math.sign(number) || 1) => {
    demand(number <= 0 || step >= 0);
    return toStep(number, step, Math.floor);
  }),
  EVEN: numeric(1, 1, (number) => Math.sign(number) * Math.ceil(Math.abs(number) / 2) * 2),
  ODD: numeric(1, 1, (number) => (number < 0 ? -1 : 1) * (Math.ceil((Math.max(1, Math.abs(number)) - 1) / 2) * 2 + 1)),
  MOD: each(2, 2, ([a, b]) => {
    const [number, divisor] = [toNumber(given(a)), toNumber(given(b))];
    return divisor === 0 ? errorOf("#DIV/0!") : number - divisor * Math.floor(number / divisor);
  }),
  QUOTIENT: each(2, 2, ([a, b]) =>
    toNumber(given(b)) === 0 ? errorOf("#DIV/0!") : Math.trunc(toNumber(given(a)) / toNumber(given(b))),
  ),
  POWER: numeric(2, 2, (base, exponent) => base ** exponent),
  SQRT: numeric(1, 1, Math.sqrt),
  EXP: numeric(1, 1, Math.exp),
  LN: numeric(1, 1, Math.log),
  LOG: numeric(1, 2, (number, base = 10) => (base === 10 ? Math.log10(number) : Math.log(number) / Math.log(base))),
  LOG10: numeric(1, 1, Math.log10),
  PI: numeric(0, 0, () => Math.PI),
  SIN: numeric(1, 1, Math.sin),
  COS: numeric(1, 1, Math.cos),
  TAN: numeric(1, 1, Math.tan),
  ASIN: numeric(1, 1, (number) => Math.asin(inRange(number))),
  ACOS: numeric(1, 1, (number) => Math.acos(inRange(number))),
  ATAN: numeric(1, 1, Math.atan),
  /** The first argument is x, unlike in programming languages. */
  ATAN2: numeric(2, 2, (x, y) => Math.atan2(y, x)),
  SINH: numeric(1, 1, Math.sinh),
  COSH: numeric(1, 1, Math.cosh),
  TANH: numeric(1, 1, Math.tanh),
  DEGREES: numeric(1, 1, (number) => (number * 180) / Math.PI),
  RADIANS: numeric(1, 1, (number) => (number * Math.PI) / 180),
  FACT: numeric(1, 1, factorial),
  COMBIN: each(2, 2, ([n, k], { spend }) => {
    const [all, chosen] = [toNumber(given(n)), toNumber(given(k))];
    spend(Math.max(0, Math.min(chosen, all - chosen, MAX_FACTORS)) / 4);
    return finiteOrError(combinations(all, chosen));
  }),
  GCD: whole(1, "many", (args) => numbersIn(args).reduce(greatest, 0)),
  LCM: whole(1, "many", (args) =>
    finiteOrError(
      numbersIn(args)
        .map(Math.trunc)
        .reduce((a, b) => (a === 0 || b === 0 ? 0 : Math.abs(a * b) / greatest(a, b)), 1),
    ),
  ),
  SUM: whole(1, "many", (args) => finiteOrError(sum(numbersIn(args)))),
  SUMSQ: whole(1, "many", (args) => finiteOrError(sum(numbersIn(args).map((number) => number * number)))),
  PRODUCT: whole(1, "many", (args) => finiteOrError(numbersIn(args).reduce((a, b) => a * b, 1))),
  SUMPRODUCT: whole(1, "many", (args, { spend }) => finiteOrError(sumProduct(args, spend))),
};
