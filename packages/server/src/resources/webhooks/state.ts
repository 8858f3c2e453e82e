import type { WebhookRow } from "../../db/schema/tables/events.ts";

/** So many failed attempts in a row mean that the receiver is in trouble, not that one event is. */
export const FAILING_AFTER = 3;
export const LONGEST_WAIT_MS = 60 * 60 * 1000;

/** When nothing but a new event makes a webhook do something. */
export const IDLE = Number.MAX_SAFE_INTEGER;

export const isFailing = ({ failures }: Pick<WebhookRow, "failures">): boolean => failures >= FAILING_AFTER;

/** As if nothing had ever failed. */
export const unharmed = { failures: 0, failing_since: null, retry_at: 0 } as const;

/** The wait after so many failures: three times longer each, up to an hour; random, so that not all come back together. */
export const backoffMs = (failures: number, firstMs: number, random = Math.random()): number =>
  Math.round(Math.min(LONGEST_WAIT_MS, firstMs * 3 ** (failures - 1)) * (0.75 + random / 2));
