import { toNumber, writeScalar } from "./coerce.ts";
import { dayOf, secondsOf, weekdayOf } from "./dates.ts";
import { given } from "./given.ts";
import { readNumber } from "./read-text.ts";
import type { Scalar } from "./value.ts";
import { errorOf, SheetDate } from "./value.ts";

const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** Formats are as short as in other spreadsheet programs. */
const MAX_FORMAT = 255;

/** A value as the function TEXT writes it: `0.00`, `#,##0`, `0%`, `yyyy-mm-dd`, `hh:mm`, and texts in quotes around them. */
export function formatNumber(value: Scalar, format: string): string {
  if (format.length > MAX_FORMAT) throw errorOf("#VALUE!");
  const isNumber =
    typeof value === "number" ||
    value instanceof SheetDate ||
    value === null ||
    (typeof value === "string" && readNumber(value) !== undefined);
  if (!isNumber) return writeScalar(value);
  const number = toNumber(value);
  const sections = format.split(";");
  const own = number < 0 ? sections[1] : number === 0 ? sections[2] : undefined;
  const section = own ?? sections[0] ?? "";
  if (section.toLowerCase() === "general" || section === "")
    return writeScalar(typeof value === "string" ? number : value);
  if (/[ymdhs]/i.test(section.replace(/"[^"]*"/g, ""))) return formatDate(number, section);
  return formatDigits(own === undefined ? number : Math.abs(number), section);
}

const DATE_PART = /"([^"]*)"|am\/pm|y+|m+|d+|h+|s+|./gi;

function formatDate(serial: number, format: string): string {
  const { year, month, day } = dayOf(serial);
  const seconds = secondsOf(serial);
  const isHalf = /am\/pm/i.test(format);
  const hour = Math.floor(seconds / 3600);
  const pad = (number: number, part: string) => String(number).padStart(Math.min(part.length, 2), "0");
  let afterHour = false;
  const parts = [...format.matchAll(DATE_PART)];
  const nextLetters = lettersAfter(parts.map(([part]) => part));
  return parts
    .map(([part, quoted], i) => {
      const kind = part.charAt(0).toLowerCase();
      if (quoted !== undefined) return quoted;
      if (part.toLowerCase() === "am/pm") return hour < 12 ? "AM" : "PM";
      // `m` is a minute behind an hour and before a second.
      const isMinute = kind === "m" && part.length <= 2 && (afterHour || nextLetters[i] === "s");
      if (/[ymdhs]/.test(kind)) afterHour = kind === "h";
      if (isMinute) return pad(Math.floor(seconds / 60) % 60, part);
      switch (kind) {
        case "y":
          return part.length <= 2 ? pad(year % 100, "yy") : String(year);
        case "m":
          return part.length <= 2
            ? pad(month, part)
            : part.length === 3
              ? given(months[month - 1]).slice(0, 3)
              : given(months[month - 1]);
        case "d":
          return part.length <= 2
            ? pad(day, part)
            : part.length === 3
              ? given(days[weekdayOf(serial)]).slice(0, 3)
              : given(days[weekdayOf(serial)]);
        case "h":
          return pad(isHalf ? hour % 12 || 12 : hour, part);
        case "s":
          return pad(seconds % 60, part);
        default:
          return part;
      }
    })
    .join("");
}

/** For each part of a date's format, the first letter of the next part that has one of the letters of dates. */
function lettersAfter(parts: readonly string[]): readonly string[] {
  let next = "";
  return parts
    .toReversed()
    .map((part) => {
      const after = next;
      if (/[ymdhs]/i.test(part)) next = part.charAt(0).toLowerCase();
      return after;
    })
    .reverse();
}

const DIGITS = /[#0?][#0?,]*(?:\.[#0?]*)?(?:E[+-]0+)?/i;

function formatDigits(number: number, format: string): string {
  const literal = (text: string) => text.replace(/"([^"]*)"|\\(.)/g, (_, quoted = "", single = "") => quoted + single);
  const place = DIGITS.exec(format.replace(/"[^"]*"/g, (text) => "\u0000".repeat(text.length)));
  if (!place) return literal(format);
  const pattern = place[0];
  const percent = (format.match(/%/g) ?? []).length;
  const scaled = Math.abs(number) * 100 ** percent;
  const digits = /E/i.test(pattern) ? exponential(scaled, pattern) : fixed(scaled, pattern);
  const sign = number < 0 && /[1-9]/.test(digits) ? "-" : "";
  return `${sign}${literal(format.slice(0, place.index))}${digits}${literal(format.slice(place.index + pattern.length))}`;
}

function fixed(number: number, pattern: string): string {
  const [before = "", after = ""] = pattern.split(".");
  const most = Math.min(20, after.length);
  // The noise of binary fractions is rounded away first.
  const [whole = "0", fraction = ""] = Number(number.toPrecision(15)).toFixed(most).split(".");
  const least = before.replace(/[^0]/g, "").length;
  const digits = (whole === "0" && least === 0 ? "" : whole).padStart(least, "0");
  const grouped = before.includes(",") ? digits.replace(/\B(?=(\d{3})+$)/g, ",") : digits;
  const keeps = after.replace(/[^0]/g, "").length;
  let end = fraction.length;
  while (end > keeps && fraction[end - 1] === "0") end--;
  return end > 0 ? `${grouped}.${fraction.slice(0, end)}` : grouped;
}

function exponential(number: number, pattern: string): string {
  const [mantissa = "", exponent = ""] = pattern.split(/E[+-]/i);
  const [digits = "0", power = "0"] = number
    .toExponential(Math.min(20, (mantissa.split(".")[1] ?? "").length))
    .split("e");
  const sign = power.startsWith("-") ? "-" : pattern.includes("+") ? "+" : "";
  return `${digits}E${sign}${power.replace(/[+-]/, "").padStart(exponent.length, "0")}`;
}
