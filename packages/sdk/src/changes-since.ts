import type { Client } from "./client.ts";
import { isApiError } from "./errors.ts";

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** The moment that a text means, in milliseconds: a time, `2d`, `3 hours ago`, `yesterday`; undefined for a name. */
export function momentOf(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,4})\s*(m|h|d|w)[a-z]*(?: ago)?$/i.exec(text.trim()) ?? [];
  if (unit !== undefined) return Date.now() - Number(count) * UNITS[unit.toLowerCase()]!;
  if (/^yesterday$/i.test(text)) return Date.now() - UNITS.d!;
  if (/^today$/i.test(text)) return new Date().setUTCHours(0, 0, 0, 0);
  if (/^\d{11,15}$/.test(text)) return Number(text);
  const parsed = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(parsed) ? undefined : parsed;
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
