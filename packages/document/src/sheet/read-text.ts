import { readDateTime } from "./dates.ts";
import { readError, type Scalar, SheetDate } from "./value.ts";

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i;
const GROUPED = /^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/;

const isBlank = (letter: string | undefined): boolean => letter !== undefined && letter.trim() === "";

/** A number as people write it: `12`, `-1.5e3`, `1,234.5`, `12.5%`; undefined for anything else. */
export function readNumber(text: string): number | undefined {
  let end = text.trimEnd().length;
  let percents = 0;
  for (; text[end - 1] === "%"; percents++) {
    end--;
    while (isBlank(text[end - 1])) end--;
  }
  let number = readPlain(text.slice(0, end).trimStart());
  for (; number !== undefined && percents > 0; percents--) number /= 100;
  return number;
}

function readPlain(text: string): number | undefined {
  if (NUMBER.test(text)) return finite(Number(text));
  return GROUPED.test(text) ? finite(Number(text.replaceAll(",", ""))) : undefined;
}

const finite = (number: number): number | undefined => (Number.isFinite(number) ? number : undefined);

/** Reads a cell's text in a column without a type: a number, a date, TRUE or FALSE, an error, or the text itself. */
export function readText(text: string): Scalar {
  if (text === "") return null;
  if (text.startsWith("'")) return text.slice(1);
  const number = readNumber(text);
  if (number !== undefined) return number;
  const serial = readDateTime(text);
  if (serial !== undefined) return new SheetDate(serial);
  const upper = text.trim().toUpperCase();
  if (upper === "TRUE" || upper === "FALSE") return upper === "TRUE";
  return readError(upper) ?? text;
}
