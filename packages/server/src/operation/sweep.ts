import { Loop } from "../background/loop.ts";
import type { Services } from "../services.ts";
import { DAY_MS } from "../time.ts";

const PAUSE_MS = 60_000;
const BATCH = 500;

/** Removes what has outlived its use, in small transactions, by one process at a time. */
export function startSweep({ database, config, log, leases }: Services): () => Promise<void> {
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
  return new Loop({
    round: async () => {
      await leases.during("sweep", step);
    },
    pauseMs: () => PAUSE_MS * (0.5 + Math.random()),
    failed: (error) => log.warn({ err: error }, "sweep failed"),
  }).stop;
}
