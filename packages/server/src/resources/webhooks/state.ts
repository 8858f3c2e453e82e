import type { WebhookRow } from "../../db/schema/tables/events.ts";

/** So many failed attempts in a row mean that the receiver is in trouble, not that one event is. */
export const FAILING_AFTER = 3;
export const LONGEST_WAIT_MS = 60 * 60 * 1000;

/** No attempt is further ahead: the longest wait, and what `backoffMs` adds at random. */
export const MOST_WAIT_MS = 1.25 * LONGEST_WAIT_MS;

export const isFailing = ({ failures }: Pick<WebhookRow, "failures">): boolean => failures >= FAILING_AFTER;

/** As if nothing had ever failed. */
export const unharmed = { failures: 0, failing_since: null, retry_at: 0 } as const;

/** The wait after so many failures: three times longer each, up to an hour; random, so that not all come back together. */
export const backoffMs = (failures: number, firstMs: number, random = Math.random()): number =>
  Math.round(Math.min(LONGEST_WAIT_MS, firstMs * 3 ** (failures - 1)) * (0.75 + random / 2));
