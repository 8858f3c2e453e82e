import type { WebhookRow } from "../../../db/schema/tables/events.ts";

/** This many failures in a row mean that the receiver is failing, not that one event is bad. */
export const FAILING_AFTER = 3;
export const LONGEST_WAIT_MS = 60 * 60 * 1000;

/** Upper limit of a wait: the longest delay plus the random part that `backoffMs` adds. */
export const MAX_WAIT_MS = 1.25 * LONGEST_WAIT_MS;

export const isFailing = ({ failures }: Pick<WebhookRow, "failures">): boolean => failures >= FAILING_AFTER;

/** The state without any failures. */
export const unharmed = { failures: 0, failing_since: null, retry_at: 0 } as const;

/** The delay after this many failures: tripled each time, up to an hour, with jitter. */
export const backoffMs = (failures: number, firstMs: number, random = Math.random()): number =>
  Math.round(Math.min(LONGEST_WAIT_MS, firstMs * 3 ** (failures - 1)) * (0.75 + random / 2));
