import { readDateTime } from "./dates.ts";
import { readError, type Scalar, SheetDate } from "./value.ts";

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i;
const GROUPED = /^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/;

/** A number as people write it: `12`, `-1.5e3`, `1,234.5`, `12.5%`; undefined for anything else. */
export function readNumber(text: string): number | undefined {
  const trimmed = text.trim();
  if (trimmed.endsWith("%")) {
    const number = readNumber(trimmed.slice(0, -1));
    return number === undefined ? undefined : number / 100;
  }
  if (NUMBER.test(trimmed)) return finite(Number(trimmed));
  return GROUPED.test(trimmed) ? finite(Number(trimmed.replaceAll(",", ""))) : undefined;
}

const finite = (number: number): number | undefined => (Number.isFinite(number) ? number : undefined);

/** What a text in a cell means where its column has no type: a number, a day, TRUE or FALSE, an error, or the text itself. */
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
