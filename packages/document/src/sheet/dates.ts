const DAY_MS = 86_400_000;
const EPOCH = Date.UTC(1899, 11, 30);
/** 9999-12-31, the last day that spreadsheets know. */
export const LAST_SERIAL = 2_958_465;

interface Day {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
}

/** The serial number of a day; months and days beyond their ends count on, as in DATE. */
export const serialOf = (year: number, month: number, day: number): number => {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return Math.round((date.getTime() - EPOCH) / DAY_MS);
};

export function dayOf(serial: number): Day {
  const date = new Date(EPOCH + Math.floor(serial) * DAY_MS);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** Seconds of the day that have passed, whole. */
export const secondsOf = (serial: number): number => Math.round((serial - Math.floor(serial)) * 86_400) % 86_400;

export const daysInMonth = (year: number, month: number): number => dayOf(serialOf(year, month + 1, 0)).day;

/** 0 is Sunday. */
export const weekdayOf = (serial: number): number => (((Math.floor(serial) - 1) % 7) + 7) % 7;

export const serialOfTime = (milliseconds: number): number => (milliseconds - EPOCH) / DAY_MS;

const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2}))?)?$/;

/** `2026-01-31`, with a time behind it or without; undefined for anything else, and for days that do not exist. */
export function readDateTime(text: string): number | undefined {
  const match = DATE_TIME.exec(text.trim());
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  const isDay = year >= 1900 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
  if (!isDay || hour > 23 || minute > 59 || second > 59) return undefined;
  return serialOf(year, month, day) + (hour * 3600 + minute * 60 + second) / 86_400;
}

const two = (number: number): string => String(number).padStart(2, "0");

/** A day as `2026-01-31`, with `13:05` or `13:05:09` behind it unless it is midnight. */
export function writeDate(serial: number): string {
  const seconds = secondsOf(serial);
  // Rounding to whole seconds may reach the next day.
  const { year, month, day } = dayOf(seconds === 0 ? Math.round(serial) : serial);
  const date = `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}`;
  return seconds === 0 ? date : `${date} ${writeTime(seconds)}`;
}

function writeTime(seconds: number): string {
  const time = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}`;
  return seconds % 60 === 0 ? time : `${time}:${two(seconds % 60)}`;
}
