import { numbersIn, scalarsIn, toBoolean, toNumber, toText } from "../coerce.ts";
import { readDateTime } from "../dates.ts";
import { formatNumber } from "../format-number.ts";
import { given } from "../given.ts";
import { readNumber } from "../read-text.ts";
import { type Scalar, SheetError } from "../value.ts";
import { type CallContext, demand, each, type Functions, type Spend, whole } from "./define.ts";
import { findWildcard, hasWildcard } from "./wildcard.ts";

/** As long as a cell's text may become. */
const MAX_TEXT = 32_767;

/** Steps that a character costs in functions that take long for each. */
const STEPS_OF_PROPER = 4;
const STEPS_OF_DIGIT = 2;
const STEPS_OF_FORMAT = 8;

const short = (text: string): string => {
  demand(text.length <= MAX_TEXT, "#VALUE!");
  return text;
};

/** A count or place that must be at least `least`. */
function whole1(scalar: Scalar | undefined, least: number, otherwise = 1): number {
  const number = scalar === undefined ? otherwise : Math.trunc(toNumber(scalar));
  demand(number >= least, "#VALUE!");
  return number;
}

function find([wanted, text, start]: readonly Scalar[]): number {
  const from = whole1(start, 1);
  const at = toText(given(text)).indexOf(toText(given(wanted)), from - 1);
  demand(at >= 0 && from <= toText(given(text)).length + 1, "#VALUE!");
  return at + 1;
}

/** Like FIND, whatever the case, and with wildcards. */
function search([wanted, text, start]: readonly Scalar[], { spend }: CallContext): number {
  const [pattern, whole] = [toText(given(wanted)), toText(given(text))];
  const from = whole1(start, 1);
  if (!hasWildcard(pattern)) return find([pattern.toLowerCase(), whole.toLowerCase(), from]);
  demand(whole.length <= 2000, "#VALUE!");
  const at = findWildcard(pattern, whole, from - 1, spend);
  demand(at >= 0, "#VALUE!");
  return at + 1;
}

function substitute([text, old, by, nth]: readonly Scalar[], { spend }: CallContext): string {
  const [whole, from, to] = [toText(given(text)), toText(given(old)), toText(given(by))];
  if (from === "") return whole;
  spend(whole.length);
  const parts = whole.split(from);
  if (nth === undefined) {
    demand(whole.length + (parts.length - 1) * to.length <= MAX_TEXT * 2, "#VALUE!");
    return short(parts.join(to));
  }
  const place = whole1(nth, 1);
  if (parts.length <= place) return whole;
  return short(`${parts.slice(0, place).join(from)}${to}${parts.slice(place).join(from)}`);
}

function proper(text: string, spend: Spend): string {
  spend(text.length * STEPS_OF_PROPER);
  return text.toLowerCase().replace(/\p{L}+/gu, (word) => word.charAt(0).toUpperCase() + word.slice(1));
}

function repeat([text, times]: readonly Scalar[]): string {
  const [one, count] = [toText(given(text)), whole1(times, 0)];
  demand(one.length * count <= MAX_TEXT, "#VALUE!");
  return one.repeat(count);
}

function numberIn(scalar: Scalar): number {
  if (typeof scalar !== "string") return toNumber(scalar);
  const text = scalar.trim().replace(/^([-+]?)[$€£¥]\s?/, "$1");
  const number = readNumber(text) ?? readDateTime(text) ?? readClock(text);
  demand(number !== undefined, "#VALUE!");
  return given(number);
}

/** `13:05` or `13:05:09` as the part of a day. */
export function readClock(text: string): number | undefined {
  const match = /^(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s*([ap])m)?$/i.exec(text.trim());
  if (!match) return undefined;
  const [hour, minute, second] = [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)];
  const half = match[4]?.toLowerCase();
  const hours = half === undefined ? hour : (hour % 12) + (half === "p" ? 12 : 0);
  return hours < 24 && minute < 60 && second < 60 ? (hours * 3600 + minute * 60 + second) / 86_400 : undefined;
}

const texts = (args: Iterable<Scalar>): string[] =>
  [...args].map((scalar) => {
    if (scalar instanceof SheetError) throw scalar;
    return toText(scalar);
  });

export const textFunctions: Functions = {
  LEN: each(1, 1, ([text]) => toText(given(text)).length),
  LEFT: each(1, 2, ([text, count]) => toText(given(text)).slice(0, whole1(count, 0))),
  RIGHT: each(1, 2, ([text, count]) => {
    const length = whole1(count, 0);
    return length === 0 ? "" : toText(given(text)).slice(-length);
  }),
  MID: each(3, 3, ([text, start, count]) => {
    const from = whole1(start, 1) - 1;
    return toText(given(text)).slice(from, from + whole1(count, 0));
  }),
  UPPER: each(1, 1, ([text]) => toText(given(text)).toUpperCase()),
  LOWER: each(1, 1, ([text]) => toText(given(text)).toLowerCase()),
  PROPER: each(1, 1, ([text], { spend }) => proper(toText(given(text)), spend)),
  TRIM: each(1, 1, ([text]) => toText(given(text)).trim().replace(/ {2,}/g, " ")),
  CLEAN: each(1, 1, ([text]) => toText(given(text)).replace(/\p{Cc}/gu, "")),
  CONCATENATE: whole(1, "many", (args) => short(texts(scalarsIn(args)).join(""))),
  CONCAT: whole(1, "many", (args) => short(texts(scalarsIn(args)).join(""))),
  TEXTJOIN: whole(3, "many", ([between, skipsEmpty, ...args]) => {
    const skips = toBoolean(given(skipsEmpty));
    const parts = texts(scalarsIn(args)).filter((part) => !skips || part !== "");
    return short(parts.join(toText(given(between))));
  }),
  FIND: each(2, 3, find),
  SEARCH: each(2, 3, search),
  REPLACE: each(4, 4, ([text, start, count, by]) => {
    const [from, length, old] = [whole1(start, 1) - 1, whole1(count, 0), toText(given(text))];
    return short(old.slice(0, from) + toText(given(by)) + old.slice(from + length));
  }),
  SUBSTITUTE: each(3, 4, substitute),
  REPT: each(2, 2, repeat),
  EXACT: each(2, 2, ([a, b]) => toText(given(a)) === toText(given(b))),
  VALUE: each(1, 1, ([text]) => numberIn(given(text))),
  TEXT: each(2, 2, ([value, format], { spend }) => {
    const wanted = toText(given(format));
    spend(wanted.length * STEPS_OF_FORMAT);
    return short(formatNumber(given(value), wanted));
  }),
  FIXED: each(1, 3, ([number, digits, isPlain]) => {
    const places = digits === undefined ? 2 : Math.trunc(toNumber(digits));
    const grouped = isPlain === undefined || !toBoolean(isPlain);
    const factor = 10 ** Math.max(0, -places);
    const rounded = Math.round(toNumber(given(number)) / factor) * factor;
    return formatNumber(
      places < 0 ? rounded : toNumber(given(number)),
      `${grouped ? "#,##0" : "0"}${places > 0 ? `.${"0".repeat(Math.min(places, 20))}` : ""}`,
    );
  }),
  CHAR: each(1, 1, ([code]) => String.fromCodePoint(codePoint(given(code), 255))),
  UNICHAR: each(1, 1, ([code]) => String.fromCodePoint(codePoint(given(code), 0x10ffff))),
  CODE: each(1, 1, ([text]) => firstCode(given(text))),
  UNICODE: each(1, 1, ([text]) => firstCode(given(text))),
  ROMAN: each(1, 1, ([number]) => roman(whole1(number, 0))),
  T: whole(
    1,
    1,
    ([value]) =>
      [...scalarsIn([given(value)])].slice(0, 1).map((scalar) => (typeof scalar === "string" ? scalar : ""))[0] ?? "",
  ),
  NUMBERVALUE: each(1, 3, ([text, decimal, group]) => {
    const [point, between] = [decimal === undefined ? "." : toText(decimal), group === undefined ? "," : toText(group)];
    const plain = between === "" ? toText(given(text)) : toText(given(text)).replaceAll(between, "");
    return numberIn(plain.replaceAll(" ", "").replace(point, "."));
  }),
  BASE: each(2, 3, ([number, radix, digits]) => {
    const [value, base] = [whole1(number, 0), whole1(radix, 2)];
    demand(base <= 36 && value < Number.MAX_SAFE_INTEGER);
    return value
      .toString(base)
      .toUpperCase()
      .padStart(Math.min(255, whole1(digits, 0, 0)), "0");
  }),
  DECIMAL: each(2, 2, ([text, radix], { spend }) => {
    const base = whole1(radix, 2);
    const digits = toText(given(text)).toUpperCase();
    spend(digits.length * STEPS_OF_DIGIT);
    demand(base <= 36 && [...digits].every((digit) => Number.parseInt(digit, 36) < base) && digits !== "");
    return Number.parseInt(digits, base);
  }),
  AVERAGEA: whole(1, "many", (args) => {
    const numbers = [...scalarsIn(args)].flatMap((scalar) =>
      scalar === null ? [] : typeof scalar === "string" ? 0 : numbersIn([toNumber(scalar)]),
    );
    demand(numbers.length > 0, "#DIV/0!");
    return numbers.reduce((a, b) => a + b, 0) / numbers.length;
  }),
};

function codePoint(code: Scalar, most: number): number {
  const point = whole1(code, 1);
  demand(point <= most && (point < 0xd800 || point > 0xdfff), "#VALUE!");
  return point;
}

function firstCode(text: Scalar): number {
  const code = toText(text).codePointAt(0);
  demand(code !== undefined, "#VALUE!");
  return given(code);
}

const numerals: readonly (readonly [number, string])[] = [
  [1000, "M"],
  [900, "CM"],
  [500, "D"],
  [400, "CD"],
  [100, "C"],
  [90, "XC"],
  [50, "L"],
  [40, "XL"],
  [10, "X"],
  [9, "IX"],
  [5, "V"],
  [4, "IV"],
  [1, "I"],
];

function roman(number: number): string {
  demand(number < 4000, "#VALUE!");
  let [text, rest] = ["", number];
  for (const [value, letters] of numerals) for (; rest >= value; rest -= value) text += letters;
  return text;
}
