import { invalidRequest } from "../../../errors.ts";

const ISO = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/** Milliseconds, or an ISO 8601 time; UTC without a zone. */
export function parseUpdatedSince(text: string, field = "updated_since"): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const match = ISO.exec(text);
  const time = match ? Date.parse(withZone(text.replace(" ", "T").replace(",", "."), match[1])) : Number.NaN;
  if (Number.isNaN(time) || !isCalendarDay(text.slice(0, 10)))
    throw invalidRequest(`query.${field}`, "must be an ISO 8601 time or milliseconds");
  return time;
}

/** The engine parses the 30th of February as the 2nd of March. */
const isCalendarDay = (day: string): boolean => new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);

function withZone(text: string, zone: string | undefined): string {
  if (zone === undefined) return text.includes("T") ? `${text}Z` : text;
  return /^[+-]\d\d$/.test(zone) ? `${text}:00` : text.replace(/([+-]\d\d)(\d\d)$/, "$1:$2");
}
