import type { Client } from "./client.ts";
import { isApiError } from "./errors.ts";

const DAY = 86_400_000;
/** The units in milliseconds; a month is thirty days. */
const UNITS: readonly (readonly [words: RegExp, ms: number])[] = [
  [/^m(?:in(?:ute)?s?)?$/, 60_000],
  [/^h(?:(?:ou)?rs?)?$/, 3_600_000],
  [/^d(?:ays?)?$/, DAY],
  [/^w(?:(?:ee)?ks?)?$/, 7 * DAY],
  [/^mo(?:nths?)?$/, 30 * DAY],
  [/^y(?:(?:ea)?rs?)?$/, 365 * DAY],
];

/** `2d`, `3 hours ago`, `last week`, `past 24 hours`, `an hour ago`. */
const SPAN = /^(?:(\d{1,4})\s*|(?:an?|(?:the )?(?:last|past)(?: (\d{1,4}))?) )([a-z]+)(?: ago)?$/;

/**
 * The moment that a text means, in milliseconds: a time (of UTC where it names no zone), `2d`, `3 hours ago`,
 * `last week`, `yesterday`; undefined for a name. A `RangeError` for a date that no calendar has.
 */
export function momentOf(text: string): number | undefined {
  const [, count, last = "1", unit = ""] = SPAN.exec(text.trim().toLowerCase()) ?? [];
  const ms = UNITS.find(([words]) => words.test(unit))?.[1];
  if (ms !== undefined) return Date.now() - Number(count ?? last) * ms;
  if (/^yesterday$/i.test(text)) return Date.now() - DAY;
  if (/^today$/i.test(text)) return new Date().setUTCHours(0, 0, 0, 0);
  if (/^\d{11,15}$/.test(text)) return Number(text);
  return /^\d{4}-\d/.test(text) ? dateOf(text) : undefined;
}

/** A day that is too many for its month would otherwise be one of the next. */
function dateOf(text: string): number {
  const [, day = "", rest = ""] = /^(\d{4}-\d\d-\d\d)(.*)$/s.exec(text) ?? [];
  const begins = Date.parse(day);
  const at = Date.parse(/^[T ][\d:.]+$/i.test(rest) ? `${text}Z` : text);
  if (Number.isNaN(begins) || Number.isNaN(at) || new Date(begins).toISOString().slice(0, 10) !== day)
    throw new RangeError(`${text} is not a time.`);
  return at;
}

/**
 * Reads what changed since a moment that is kept under a name, and keeps the moment up to which the answer reaches under
 * the same name, so that the next reading begins where this one ended. Undefined the first time: then the name begins.
 */
export async function sinceVisit<T extends { readonly until: number }>(
  client: Client,
  name: string,
  read: (since: string) => Promise<T>,
): Promise<T | undefined> {
  const found = await read(`visit:${name}`).catch((error: unknown) => {
    if (isApiError(error, "not_found") && error.details.resource === "visit") return undefined;
    throw error;
  });
  await client.post("/me/visits", { body: { name, ...(found && { at: found.until }) } });
  return found;
}
