import { nativeExec } from "./pattern.ts";
import { StepCounter, simulate } from "./regexp-steps.ts";

/** Counts a run, the same on every machine. */
export type Count = (run: () => unknown, limit: number) => Promise<number>;

/**
 * Counts the steps of regular expressions, and the letters and items that built-in functions read. Stops counting after
 * `limit` steps.
 */
export const countBuiltIns: Count = async (run, limit) => {
  const counter = new StepCounter(limit);
  await withCounter(run, counter);
  return counter.count;
};

/** Refusing an input is an answer, too. */
async function quietly(run: () => unknown): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (error instanceof RangeError && /call stack/.test(error.message)) throw error;
  }
}

type Method = (this: unknown, ...args: unknown[]) => unknown;

const sizeOf = (value: unknown): number =>
  typeof value === "string" || Array.isArray(value) ? value.length : typeof value === "number" ? Math.abs(value) : 0;

/** The characters before the match, or all of them when there is none. */
const searched: Cost = (whole, found, [, from]) =>
  typeof found === "number" && found >= 0 ? Math.abs(found - Number(from ?? 0)) : sizeOf(whole) - Number(from ?? 0);
const all: Cost = (whole) => sizeOf(whole);
const made: Cost = (_, result) => sizeOf(result);

type Cost = (whole: unknown, result: unknown, args: readonly unknown[]) => number;

const costs: readonly (readonly [object, Readonly<Record<string, Cost>>])[] = [
  [
    String.prototype,
    {
      indexOf: searched,
      lastIndexOf: (whole, found) => sizeOf(whole) - Math.max(0, Number(found)),
      toLowerCase: all,
      toUpperCase: all,
      normalize: all,
      includes: (whole, isFound) => (isFound === true ? 1 : sizeOf(whole)),
      split: all,
      trim: all,
      trimEnd: all,
      trimStart: all,
    },
  ],
  [
    Array.prototype,
    {
      includes: (whole, isFound) => (isFound === true ? 1 : sizeOf(whole)),
      indexOf: searched,
      slice: made,
      concat: made,
      shift: all,
      unshift: all,
      splice: all,
    },
  ],
];

async function withCounter(run: () => unknown, counter: StepCounter): Promise<void> {
  const restore: (() => void)[] = [];
  const replace = (owner: object, name: string, by: (native: Method) => Method): void => {
    const native: Method = Reflect.get(owner, name);
    const property = Object.getOwnPropertyDescriptor(owner, name)!;
    Object.defineProperty(owner, name, { ...property, value: by(native) });
    restore.push(() => Object.defineProperty(owner, name, property));
  };
  let isCounting = false;
  const aside = (count: () => void): void => {
    if (isCounting) return;
    isCounting = true;
    count();
    isCounting = false;
  };
  for (const [owner, methods] of costs)
    for (const [name, cost] of Object.entries(methods))
      replace(
        owner,
        name,
        (native) =>
          function (...args) {
            const size = name === "shift" ? sizeOf(this) : 0;
            const result = native.apply(this, args);
            aside(() => {
              counter.count += size || cost(this, result, args);
            });
            return result;
          },
      );
  replace(
    RegExp.prototype,
    "exec",
    () =>
      function (this: unknown, text) {
        const expression = this as RegExp;
        const start = expression.global || expression.sticky ? expression.lastIndex : 0;
        if (!counter.isSpent) aside(() => void simulate(expression, String(text), start, counter));
        return nativeExec.call(expression, String(text));
      },
  );
  try {
    await quietly(run);
  } finally {
    for (const undo of restore) undo();
  }
}
