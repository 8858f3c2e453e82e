import { Loop } from "../background/loop.ts";
import type { Database } from "../db/database.ts";
import type { Services } from "../services.ts";
import { DAY_MS } from "../time.ts";
import { retainedSince } from "./resume.ts";

const STEP = 500;
const PERIOD_MS = { least: 250, most: 60_000 };

/** Removes events that have outlived the retention, a little at a time. Every process may do it; none needs to. */
export function startRetention({ database, config, log }: Pick<Services, "database" | "config" | "log">) {
  return new Loop({
    round: () => removeSome(database, retainedSince(config.eventRetentionDays)),
    pauseMs: Math.min(PERIOD_MS.most, Math.max(PERIOD_MS.least, (config.eventRetentionDays * DAY_MS) / 20)),
    failed: (error) => log.warn({ err: error }, "old events could not be removed"),
  }).stop;
}

/** One small step; false when nothing was left. Always from the beginning of a workspace's events, so that no gap appears. */
export async function removeSome(database: Database, before: number): Promise<boolean> {
  const old = await database.read
    .selectFrom("events")
    .select(["workspace_id", "id"])
    .where("created_at", "<", before)
    .orderBy("created_at")
    .limit(STEP)
    .execute();
  if (old.length === 0) return false;
  const last = new Map<string, number>();
  for (const { workspace_id, id } of old) last.set(workspace_id, Math.max(id, last.get(workspace_id) ?? 0));
  await database.transaction(async (tx) => {
    for (const [workspaceId, id] of last)
      await tx.deleteFrom("events").where("workspace_id", "=", workspaceId).where("id", "<=", id).execute();
  });
  return old.length === STEP;
}
