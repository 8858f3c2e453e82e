import { type Scalar, SheetDate, SheetError } from "./value.ts";

const rankOf = (scalar: Scalar): number => (typeof scalar === "string" ? 1 : typeof scalar === "boolean" ? 2 : 0);

const numberOf = (scalar: Scalar): number =>
  typeof scalar === "number" ? scalar : scalar instanceof SheetDate ? scalar.serial : Number(scalar ?? 0);

/** An empty cell beside another value counts as nothing of its kind. */
const emptyLike = (other: Scalar): Scalar => (typeof other === "string" ? "" : typeof other === "boolean" ? false : 0);

/**
 * The order of two values: numbers and days, then texts whatever their case, then FALSE and TRUE. Errors are no values
 * to compare; whoever sorts puts them last.
 */
export function compare(a: Scalar, b: Scalar): number {
  if (a instanceof SheetError || b instanceof SheetError)
    return Number(a instanceof SheetError) - Number(b instanceof SheetError);
  const [x, y] = [a ?? emptyLike(b), b ?? emptyLike(a)];
  const rank = rankOf(x) - rankOf(y);
  if (rank !== 0) return rank;
  if (typeof x === "string" && typeof y === "string") {
    const [left, right] = [lowered(x), lowered(y)];
    return left < right ? -1 : left > right ? 1 : 0;
  }
  return compareNumbers(numberOf(x), numberOf(y));
}

/** Long texts in lower case: a text that is looked up is compared with every cell of a list. */
const loweredTexts = new Map<string, string>();
const LONG_TEXT = 64;
const MAX_LOWERED = 16;

function lowered(text: string): string {
  if (text.length < LONG_TEXT) return text.toLowerCase();
  const known = loweredTexts.get(text);
  if (known !== undefined) return known;
  if (loweredTexts.size >= MAX_LOWERED) loweredTexts.clear();
  const lower = text.toLowerCase();
  loweredTexts.set(text, lower);
  return lower;
}

/** Numbers that differ only by the noise of binary fractions are equal: 0.1+0.2 is 0.3. */
const NOISE = 2 ** -48;

function compareNumbers(a: number, b: number): number {
  const difference = a - b;
  return Math.abs(difference) <= Math.max(Math.abs(a), Math.abs(b)) * NOISE ? 0 : Math.sign(difference);
}
