import { setTimeout as sleep } from "node:timers/promises";
import type { Services } from "../services.ts";

const PAUSE_MS = 60_000;
const BATCH = 500;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Removes what has outlived its use, in small transactions. Every process may do it; none needs to. */
export function startSweep({ database, config, log }: Services): () => void {
  const stop = new AbortController();
  const step = async () => {
    const now = Date.now();
    await database.transaction(async (tx) => {
      await tx
        .deleteFrom("rate_windows")
        .where("window_start", "<", now - 2 * config.rateLimitWindowS * 1000)
        .execute();
      const old = tx
        .selectFrom("idempotency_keys")
        .select("key")
        .where("created_at", "<", now - DAY_MS)
        .limit(BATCH);
      await tx
        .deleteFrom("idempotency_keys")
        .where("created_at", "<", now - DAY_MS)
        .where("key", "in", old)
        .execute();
      await tx.deleteFrom("sessions").where("expires_at", "<", now).execute();
    });
  };
  const loop = async () => {
    while (!stop.signal.aborted) {
      await sleep(PAUSE_MS * (0.5 + Math.random()), undefined, { signal: stop.signal, ref: false });
      await step().catch((error) => log.warn({ err: error }, "sweep failed"));
    }
  };
  loop().catch(() => undefined);
  return () => stop.abort();
}
