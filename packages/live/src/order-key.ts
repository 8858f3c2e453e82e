import { defined } from "@svc/document/defined";

/**
 * Order keys of top-level blocks: strings that sort like fractions in base 62. There is always another key between two
 * different keys. A key never ends with zero, so comparing the strings compares the fractions.
 */
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BASE = DIGITS.length;

/** Digits of a new key, and the digits added when there is no room: 62³ keys fit into one step. */
const FIRST_DIGITS = 4;
const MORE_DIGITS = 3;

/** The next fold replaces longer keys. */
export const MAX_KEY_LENGTH = 24;
/** Max length of a key that a client sends; far above what honest editing makes between two folds. */
const MAX_SENT_KEY_LENGTH = 256;

const KEY = /^[0-9A-Za-z]*[1-9A-Za-z]$/;
export const isOrderKey = (key: unknown): key is string =>
  typeof key === "string" && key.length <= MAX_SENT_KEY_LENGTH && KEY.test(key);

/** The side to insert from: `left` after a block, as when typing on, `right` before one. */
type InsertSide = "left" | "right";

/**
 * A key between two others, one small step from the given side. `left` undefined is the start, `right` undefined the
 * end. `left` must be smaller than `right`.
 */
export function keyBetween(left: string | undefined, right: string | undefined, side: InsertSide): string {
  for (let digits = FIRST_DIGITS; ; digits += MORE_DIGITS) {
    const key = side === "left" ? stepUp(left ?? "", digits) : stepDown(right, digits);
    if (key !== undefined && key > (left ?? "") && (right === undefined || key < right)) return key;
  }
}

/** Evenly spread keys for `count` blocks between two others. */
export function keysBetween(left: string | undefined, right: string | undefined, count: number): string[] {
  const keys: string[] = [];
  spread(left, right, count, keys);
  return keys;
}

/** Finds the middle first, then both halves, so keys stay short for any count. */
function spread(left: string | undefined, right: string | undefined, count: number, keys: string[]): void {
  if (count === 0) return;
  const before = (count - 1) >> 1;
  const key = middle(left, right);
  spread(left, key, before, keys);
  keys.push(key);
  spread(key, right, count - 1 - before, keys);
}

function middle(left: string | undefined, right: string | undefined): string {
  const low = left ?? "";
  for (let digits = 1; ; digits++) {
    const from = valuesOf(low, digits);
    const to = right === undefined ? [1, ...new Array<number>(digits).fill(0)] : [0, ...valuesOf(right, digits)];
    const half = halve(add([0, ...from], to)).slice(1);
    const key = textOf(half);
    if (key > low && (right === undefined || key < right)) return key;
  }
}

const valuesOf = (key: string, digits: number): number[] =>
  Array.from({ length: digits }, (_, i) => (i < key.length ? DIGITS.indexOf(defined(key[i])) : 0));

/** The digits without trailing zeros. */
const textOf = (values: readonly number[]): string =>
  values
    .map((value) => DIGITS[value])
    .join("")
    .replace(/0+$/, "");

/** Adds two fractions; both have a leading digit for the carry. */
function add(a: readonly number[], b: readonly number[]): number[] {
  const sum = new Array<number>(a.length).fill(0);
  let carry = 0;
  for (let i = a.length - 1; i >= 0; i--) {
    const total = defined(a[i]) + defined(b[i]) + carry;
    sum[i] = total % BASE;
    carry = total >= BASE ? 1 : 0;
  }
  return sum;
}

function halve(values: readonly number[]): number[] {
  let rest = 0;
  return values.map((value) => {
    const total = rest * BASE + value;
    rest = total % 2;
    return total >> 1;
  });
}

/** The next larger fraction with this many digits; undefined if it would reach 1. */
function stepUp(key: string, digits: number): string | undefined {
  const values = valuesOf(key, digits);
  for (let i = digits - 1; i >= 0; i--) {
    if (defined(values[i]) + 1 < BASE) {
      values[i]!++;
      return textOf(values);
    }
    values[i] = 0;
  }
  return undefined;
}

/** The next smaller fraction with this many digits; undefined if it would reach 0. */
function stepDown(key: string | undefined, digits: number): string | undefined {
  if (key === undefined) return defined(DIGITS[BASE - 1]).repeat(digits);
  const values = valuesOf(key, digits);
  if (key.length > digits) return textOf(values) || undefined;
  for (let i = digits - 1; i >= 0; i--) {
    if (defined(values[i]) > 0) {
      values[i]!--;
      return textOf(values) || undefined;
    }
    values[i] = BASE - 1;
  }
  return undefined;
}
