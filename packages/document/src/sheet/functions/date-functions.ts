import { scalarsIn, toNumber, toText } from "../coerce.ts";
import {
  dayOf,
  daysInMonth,
  LAST_SERIAL,
  readDateTime,
  secondsOf,
  serialOf,
  serialOfTime,
  weekdayOf,
} from "../dates.ts";
import { given } from "../given.ts";
import { errorOf, firstOf, type Scalar, SheetDate, type Value } from "../value.ts";
import { demand, each, type Functions, whole } from "./define.ts";
import { readClock } from "./text.ts";

const day = (serial: number): SheetDate => {
  demand(serial >= 0 && serial < LAST_SERIAL + 1);
  return new SheetDate(serial);
};

const serial = (scalar: Scalar | undefined): number => {
  const number = toNumber(scalar ?? null);
  demand(number >= 0 && number < LAST_SERIAL + 1);
  return number;
};

/** So many months on; the day is at most the month's last. */
function addMonths(from: number, months: number): number {
  const { year, month, day } = dayOf(from);
  const at = year * 12 + month - 1 + Math.trunc(months);
  const [newYear, newMonth] = [Math.floor(at / 12), (((at % 12) + 12) % 12) + 1];
  return serialOf(newYear, newMonth, Math.min(day, daysInMonth(newYear, newMonth)));
}

/** The ISO week: weeks begin on Monday, and the first has the year's first Thursday. */
function isoWeek(at: number): number {
  const thursday = Math.floor(at) - ((weekdayOf(at) + 6) % 7) + 3;
  return Math.floor((thursday - serialOf(dayOf(thursday).year, 1, 1)) / 7) + 1;
}

/** The first day of the week by the number that WEEKDAY and WEEKNUM take; 0 is Sunday. */
const weekStarts: Readonly<Record<number, number>> = { 1: 0, 2: 1, 11: 1, 12: 2, 13: 3, 14: 4, 15: 5, 16: 6, 17: 0 };

function weekday(at: number, kind: number): number {
  if (kind === 3) return (weekdayOf(at) + 6) % 7;
  const start = weekStarts[kind];
  demand(start !== undefined);
  return ((weekdayOf(at) - given(start) + 7) % 7) + 1;
}

function weekNumber(at: number, kind: number): number {
  if (kind === 21) return isoWeek(at);
  const start = weekStarts[kind];
  demand(start !== undefined);
  const first = serialOf(dayOf(at).year, 1, 1);
  return Math.floor((Math.floor(at) - first + ((weekdayOf(first) - given(start) + 7) % 7)) / 7) + 1;
}

function difference(from: number, to: number, unit: string): number {
  demand(from <= to);
  const [a, b] = [dayOf(from), dayOf(to)];
  const months = (b.year - a.year) * 12 + b.month - a.month - (b.day < a.day ? 1 : 0);
  switch (unit.toUpperCase()) {
    case "D":
      return Math.floor(to) - Math.floor(from);
    case "M":
      return months;
    case "Y":
      return Math.floor(months / 12);
    case "YM":
      return months % 12;
    case "MD":
      return Math.floor(to) - addMonths(from, months);
    case "YD":
      return Math.floor(to) - addMonths(from, Math.floor(months / 12) * 12);
    default:
      throw errorOf("#NUM!");
  }
}

const isWeekend = (at: number): boolean => weekdayOf(at) === 0 || weekdayOf(at) === 6;

const holidaysOf = (value: Value | undefined): Set<number> =>
  new Set(
    value === undefined
      ? []
      : [...scalarsIn([value])].filter((scalar) => scalar !== null).map((scalar) => Math.floor(toNumber(scalar))),
  );

function workdays([from, to, holidays]: readonly Value[], spend: (steps: number) => void): number {
  const [a, b] = [Math.floor(serial(firstOf(given(from)))), Math.floor(serial(firstOf(given(to))))];
  const off = holidaysOf(holidays);
  spend(Math.abs(b - a));
  let count = 0;
  for (let at = Math.min(a, b); at <= Math.max(a, b); at++) if (!isWeekend(at) && !off.has(at)) count++;
  return a <= b ? count : -count;
}

function workday([from, days, holidays]: readonly Value[], spend: (steps: number) => void): SheetDate {
  const off = holidaysOf(holidays);
  const count = Math.trunc(toNumber(given(days)));
  demand(Math.abs(count) < LAST_SERIAL);
  spend(Math.abs(count) * 2);
  let at = Math.floor(serial(firstOf(given(from))));
  for (let left = Math.abs(count); left > 0; ) {
    at += Math.sign(count);
    if (!isWeekend(at) && !off.has(at)) left--;
  }
  return day(at);
}

export const dateFunctions: Functions = {
  DATE: each(3, 3, ([year, month, date]) => {
    const full = Math.trunc(toNumber(given(year)));
    demand(full >= 0 && full < 10_000);
    return day(
      serialOf(full < 1900 ? full + 1900 : full, Math.trunc(toNumber(given(month))), Math.trunc(toNumber(given(date)))),
    );
  }),
  TIME: each(3, 3, ([hour, minute, second]) => {
    const part = (toNumber(given(hour)) * 3600 + toNumber(given(minute)) * 60 + toNumber(given(second))) / 86_400;
    demand(part >= 0);
    return part - Math.floor(part);
  }),
  DATEVALUE: each(1, 1, ([text]) => {
    const found = readDateTime(toText(given(text)));
    demand(found !== undefined, "#VALUE!");
    return Math.floor(given(found));
  }),
  TIMEVALUE: each(1, 1, ([text]) => {
    const found = readClock(toText(given(text))) ?? readDateTime(toText(given(text)));
    demand(found !== undefined, "#VALUE!");
    return given(found) - Math.floor(given(found));
  }),
  YEAR: each(1, 1, ([at]) => dayOf(serial(at)).year),
  MONTH: each(1, 1, ([at]) => dayOf(serial(at)).month),
  DAY: each(1, 1, ([at]) => dayOf(serial(at)).day),
  HOUR: each(1, 1, ([at]) => Math.floor(secondsOf(serial(at)) / 3600)),
  MINUTE: each(1, 1, ([at]) => Math.floor(secondsOf(serial(at)) / 60) % 60),
  SECOND: each(1, 1, ([at]) => secondsOf(serial(at)) % 60),
  WEEKDAY: each(1, 2, ([at, kind]) => weekday(serial(at), kind === undefined ? 1 : toNumber(kind))),
  WEEKNUM: each(1, 2, ([at, kind]) => weekNumber(serial(at), kind === undefined ? 1 : toNumber(kind))),
  ISOWEEKNUM: each(1, 1, ([at]) => isoWeek(serial(at))),
  TODAY: whole(0, 0, (_, { now }) => new SheetDate(Math.floor(serialOfTime(now())))),
  NOW: whole(0, 0, (_, { now }) => new SheetDate(serialOfTime(now()))),
  EDATE: each(2, 2, ([at, months]) => day(addMonths(serial(at), toNumber(given(months))))),
  EOMONTH: each(2, 2, ([at, months]) => {
    const { year, month } = dayOf(serial(at));
    return day(serialOf(year, month + Math.trunc(toNumber(given(months))) + 1, 0));
  }),
  DAYS: each(2, 2, ([to, from]) => Math.floor(toNumber(given(to))) - Math.floor(toNumber(given(from)))),
  DATEDIF: each(3, 3, ([from, to, unit]) => difference(serial(from), serial(to), toText(given(unit)))),
  NETWORKDAYS: whole(2, 3, (args, { spend }) => workdays(args, spend)),
  WORKDAY: whole(2, 3, (args, { spend }) => workday(args, spend)),
};
