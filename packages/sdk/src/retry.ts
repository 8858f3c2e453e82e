/** How often and how patiently a call is sent again. */
export interface RetryPolicy {
  /** Attempts altogether; 1 never sends again. */
  readonly attempts: number;
  /** The first wait; each further one is twice as long, up to `maxMs`. Half of it is random. */
  readonly baseMs: number;
  readonly maxMs: number;
  /** A longer `Retry-After` is not waited for: the refusal is thrown, with `retryAfterMs`. */
  readonly maxRetryAfterMs: number;
}

/** An attempt that is going to be repeated. */
export interface RetryNotice {
  readonly method: string;
  readonly path: string;
  readonly attempt: number;
  readonly waitMs: number;
  readonly error: Error;
}

export const defaultRetry: RetryPolicy = { attempts: 5, baseMs: 250, maxMs: 8_000, maxRetryAfterMs: 60_000 };

/** Statuses that say nothing about the request: the same one may well succeed later. */
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504]);

export const isPassing = (status: number, code: string | undefined): boolean =>
  PASSING.has(status) || code === "idempotency_in_progress";

/** Seconds or a date, as milliseconds from now. */
export function parseRetryAfter(header: string | null, now = Date.now()): number | undefined {
  if (header === null || header.trim() === "") return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** How long to wait before the next attempt, or undefined when there is none. */
export function waitBefore(
  attempt: number,
  policy: RetryPolicy,
  retryAfterMs: number | undefined,
  random: () => number = Math.random,
): number | undefined {
  if (attempt >= policy.attempts) return undefined;
  const backoff = Math.min(policy.maxMs, policy.baseMs * 2 ** (attempt - 1)) * (0.5 + random() / 2);
  if (retryAfterMs === undefined) return backoff;
  return retryAfterMs > policy.maxRetryAfterMs ? undefined : Math.max(backoff, retryAfterMs);
}
