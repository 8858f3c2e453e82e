import { setTimeout as sleep } from "node:timers/promises";

export interface RetryPolicy {
  /** The number of attempts, the first one included. */
  readonly attempts: number;
  readonly baseDelayMs: number;
  /** The longest wait; if the server asks for a longer one, there is no further attempt. */
  readonly maxDelayMs: number;
}

export const defaultRetryPolicy: RetryPolicy = { attempts: 4, baseDelayMs: 500, maxDelayMs: 30_000 };

/** The outcome of one attempt: a result, or an error that another attempt may solve. */
export type Attempt<T> = { readonly done: T } | { readonly retry: Error; readonly afterMs?: number | undefined };

/** Runs `attempt` until it is done, waiting with backoff and jitter in between; then throws the last error. */
export async function retrying<T>(
  attempt: () => Promise<Attempt<T>>,
  policy: RetryPolicy,
  signal?: AbortSignal,
): Promise<T> {
  for (let count = 1; ; count++) {
    signal?.throwIfAborted();
    const outcome = await attempt();
    if ("done" in outcome) return outcome.done;
    const waitMs = outcome.afterMs ?? backoffMs(count, policy);
    if (count >= policy.attempts || waitMs > policy.maxDelayMs) throw outcome.retry;
    await pause(waitMs, signal);
  }
}

/** Half of the exponential step is fixed, half random, so that clients that failed together do not return together. */
function backoffMs(count: number, policy: RetryPolicy): number {
  const step = Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** (count - 1));
  return step * (0.5 + Math.random() / 2);
}

async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, signal ? { signal } : {});
  } catch {
    signal?.throwIfAborted();
  }
}

/** `Retry-After` in seconds or as a date; undefined if absent or invalid. */
export function retryAfterMs(header: string | null, now = Date.now()): number | undefined {
  if (header === null) return undefined;
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
