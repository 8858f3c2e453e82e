import { finiteOrError, numbersIn, scalarsIn, toNumber } from "../coerce.ts";
import { given } from "../given.ts";
import { errorOf, isMatrix, type Scalar, SheetDate, SheetError, type Value } from "../value.ts";
import { demand, type Functions, likeInput, type SheetFunction, type Spend, whole } from "./define.ts";

const total = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

function mean(numbers: readonly number[]): number {
  demand(numbers.length > 0, "#DIV/0!");
  return total(numbers) / numbers.length;
}

/** `less` is 1 for a sample, 0 for all there is. */
function variance(numbers: readonly number[], less: 0 | 1): number {
  demand(numbers.length > less, "#DIV/0!");
  const middle = mean(numbers);
  return total(numbers.map((number) => (number - middle) ** 2)) / (numbers.length - less);
}

/** A function of the numbers among all arguments. */
const ofNumbers = (run: (numbers: number[]) => number): SheetFunction =>
  whole(1, "many", (args) => finiteOrError(run(numbersIn(args))));

/** The same, where days stay days. */
const likeNumbers = (run: (numbers: number[]) => number): SheetFunction =>
  whole(1, "many", (args) => likeInput(args, run(numbersIn(args))));

/** Sorting takes as many comparisons as there are numbers, times the logarithm of that. */
const spendOnSorting = ({ length }: readonly number[], spend: Spend): void =>
  spend((length * Math.log2(length + 1)) / 2);

const rising = (numbers: readonly number[]): number[] => [...numbers].sort((a, b) => a - b);

function median(numbers: readonly number[]): number {
  demand(numbers.length > 0);
  const sorted = rising(numbers);
  const half = sorted.length / 2;
  return sorted.length % 2 === 1
    ? given(sorted[Math.floor(half)])
    : (given(sorted[half - 1]) + given(sorted[half])) / 2;
}

/** The most frequent number; of several the one that comes first. */
function mode(numbers: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  const [best, count] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a), [0, 0]);
  demand(count > 1, "#N/A");
  return best;
}

function percentile(numbers: readonly number[], part: number): number {
  demand(numbers.length > 0 && part >= 0 && part <= 1);
  const sorted = rising(numbers);
  const at = part * (sorted.length - 1);
  const low = given(sorted[Math.floor(at)]);
  return low + (at - Math.floor(at)) * ((sorted[Math.ceil(at)] ?? low) - low);
}

/** A function of a range in rising order and one number. */
const ranked = (run: (numbers: number[], number: number) => number): SheetFunction =>
  whole(2, 2, ([range, number], { spend }) => {
    const numbers = numbersIn([given(range)]);
    spendOnSorting(numbers, spend);
    return likeInput([given(range)], run(numbers, toNumber(given(number))));
  });

const nth = (sorted: readonly number[], place: number): number => {
  const found = sorted[Math.ceil(place) - 1];
  demand(found !== undefined);
  return given(found);
};

function rank([value, range, order = 0]: readonly Value[]): number {
  const number = toNumber(given(value));
  const all = numbersIn([given(range)]);
  demand(all.includes(number), "#N/A");
  const isRising = toNumber(order) !== 0;
  return all.filter((other) => (isRising ? other < number : other > number)).length + 1;
}

/** Pairs of numbers of two ranges; a pair without two numbers is left out. */
function pairs([a, b]: readonly Value[]): (readonly [number, number])[] {
  const [xs, ys] = [[...scalarsIn([given(a)])], [...scalarsIn([given(b)])]];
  demand(xs.length === ys.length, "#N/A");
  return xs.flatMap((x, i) => {
    const y = ys[i];
    return typeof x === "number" && typeof y === "number" ? [[x, y] as const] : [];
  });
}

function slope(points: readonly (readonly [y: number, x: number])[]): {
  readonly slope: number;
  readonly start: number;
} {
  const [my, mx] = [mean(points.map(([y]) => y)), mean(points.map(([, x]) => x))];
  const spread = total(points.map(([, x]) => (x - mx) ** 2));
  demand(spread > 0, "#DIV/0!");
  const rise = total(points.map(([y, x]) => (x - mx) * (y - my))) / spread;
  return { slope: rise, start: my - rise * mx };
}

function correlation(points: readonly (readonly [number, number])[]): number {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [mx, my] = [mean(xs), mean(ys)];
  const both = Math.sqrt(total(xs.map((x) => (x - mx) ** 2)) * total(ys.map((y) => (y - my) ** 2)));
  demand(both > 0, "#DIV/0!");
  return total(points.map(([x, y]) => (x - mx) * (y - my))) / both;
}

const isNumber = (scalar: Scalar): boolean => typeof scalar === "number" || scalar instanceof SheetDate;

/** Counts numbers; a value that is written into the formula counts when it can be read as one. */
const count = (args: readonly Value[]): number =>
  args.reduce<number>((sum, arg) => {
    if (isMatrix(arg)) return sum + [...scalarsIn([arg])].filter(isNumber).length;
    try {
      toNumber(arg);
      return sum + 1;
    } catch (error) {
      if (error instanceof SheetError) return sum;
      throw error;
    }
  }, 0);

const largest = (numbers: readonly number[]): number => numbers.reduce((a, b) => Math.max(a, b), numbers[0] ?? 0);
const smallest = (numbers: readonly number[]): number => numbers.reduce((a, b) => Math.min(a, b), numbers[0] ?? 0);

const [stdev, stdevp] = [
  ofNumbers((numbers) => Math.sqrt(variance(numbers, 1))),
  ofNumbers((numbers) => Math.sqrt(variance(numbers, 0))),
];
const [sampleVariance, wholeVariance] = [
  ofNumbers((numbers) => variance(numbers, 1)),
  ofNumbers((numbers) => variance(numbers, 0)),
];
const percentiles = ranked(percentile);
const quartiles = ranked((numbers, quarter) => percentile(numbers, Math.trunc(quarter) / 4));
const ranks = whole(2, 3, rank);
const modes = ofNumbers(mode);

/** The functions of SUBTOTAL by number; adding 100 means the same. */
const subtotals: Readonly<Record<number, SheetFunction>> = {
  1: ofNumbers(mean),
  2: whole(1, "many", count),
  3: whole(1, "many", (args) => [...scalarsIn(args)].filter((scalar) => scalar !== null).length),
  4: likeNumbers(largest),
  5: likeNumbers(smallest),
  6: ofNumbers((numbers) => numbers.reduce((a, b) => a * b, 1)),
  7: stdev,
  8: stdevp,
  9: ofNumbers(total),
  10: sampleVariance,
  11: wholeVariance,
};

export const statisticsFunctions: Functions = {
  COUNT: whole(1, "many", count),
  COUNTA: given(subtotals[3]),
  COUNTBLANK: whole(1, 1, (args) => [...scalarsIn(args)].filter((scalar) => scalar === null || scalar === "").length),
  AVERAGE: likeNumbers(mean),
  MIN: likeNumbers(smallest),
  MAX: likeNumbers(largest),
  MEDIAN: whole(1, "many", (args, { spend }) => {
    const numbers = numbersIn(args);
    spendOnSorting(numbers, spend);
    return likeInput(args, median(numbers));
  }),
  MODE: modes,
  "MODE.SNGL": modes,
  LARGE: ranked((numbers, place) => nth(rising(numbers).reverse(), place)),
  SMALL: ranked((numbers, place) => nth(rising(numbers), place)),
  RANK: ranks,
  "RANK.EQ": ranks,
  STDEV: stdev,
  "STDEV.S": stdev,
  STDEVP: stdevp,
  "STDEV.P": stdevp,
  VAR: sampleVariance,
  "VAR.S": sampleVariance,
  VARP: wholeVariance,
  "VAR.P": wholeVariance,
  PERCENTILE: percentiles,
  "PERCENTILE.INC": percentiles,
  QUARTILE: quartiles,
  "QUARTILE.INC": quartiles,
  GEOMEAN: ofNumbers((numbers) => {
    demand(numbers.length > 0 && numbers.every((number) => number > 0));
    return Math.exp(mean(numbers.map(Math.log)));
  }),
  AVEDEV: ofNumbers((numbers) => {
    const middle = mean(numbers);
    return mean(numbers.map((number) => Math.abs(number - middle)));
  }),
  CORREL: whole(2, 2, (args) => finiteOrError(correlation(pairs(args)))),
  SLOPE: whole(2, 2, (args) => slope(pairs(args)).slope),
  INTERCEPT: whole(2, 2, (args) => slope(pairs(args)).start),
  FORECAST: whole(3, 3, ([x, ...ranges]) => {
    const line = slope(pairs(ranges));
    return line.start + line.slope * toNumber(given(x));
  }),
  SUBTOTAL: whole(2, "many", ([number, ...args], context) => {
    const run = subtotals[Math.trunc(toNumber(given(number))) % 100];
    return run ? run.run(args, context) : errorOf("#VALUE!");
  }),
};
