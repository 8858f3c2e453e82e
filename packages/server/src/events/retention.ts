import { Loop } from "../background/loop.ts";
import type { Database } from "../db/database.ts";
import type { Services } from "../services.ts";
import { DAY_MS } from "../time.ts";
import { retainedSince } from "./resume.ts";

const STEP = 500;
const PERIOD_MS = { least: 250, most: 60_000 };

/** Removes events that have outlived the retention or are too many, a few at a time. Any process may do it. */
export function startRetention({ database, config, log }: Pick<Services, "database" | "config" | "log">) {
  return new Loop({
    round: async () => {
      const isMoreOld = await removeSome(database, retainedSince(config.eventRetentionDays));
      return (await removeBeyond(database, config.maxEvents)) || isMoreOld;
    },
    pauseMs: Math.min(PERIOD_MS.most, Math.max(PERIOD_MS.least, (config.eventRetentionDays * DAY_MS) / 20)),
    failed: (error) => log.warn({ err: error }, "old events could not be removed"),
  }).stop;
}

/**
 * Takes one small step; returns false if nothing was left. It always removes from the beginning of a workspace's
 * events, so that no gap appears.
 */
export async function removeSome(database: Database, before: number): Promise<boolean> {
  const old = await database.read
    .selectFrom("events")
    .select(["workspace_id", "id"])
    .where("created_at", "<", before)
    .orderBy("created_at")
    .limit(STEP)
    .execute();
  await removeUpTo(database, old);
  return old.length === STEP;
}

/** Removes these and all older events of their workspaces. */
async function removeUpTo(database: Database, events: readonly { workspace_id: string; id: number }[]): Promise<void> {
  if (events.length === 0) return;
  const last = new Map<string, number>();
  for (const { workspace_id, id } of events) last.set(workspace_id, Math.max(id, last.get(workspace_id) ?? 0));
  await database.transaction(async (tx) => {
    for (const [workspaceId, id] of last)
      await tx.deleteFrom("events").where("workspace_id", "=", workspaceId).where("id", "<=", id).execute();
  });
}

/**
 * Takes one small step towards keeping only the newest `most` events of each workspace; returns false if nothing was
 * left. Ids have no gaps, so no rows need counting: the first event of a workspace is one index lookup. A join of both
 * tables would not work: PostgreSQL answers it by reading all events in order.
 */
export async function removeBeyond(database: Database, most: number): Promise<boolean> {
  const rows = await database.read
    .selectFrom("workspace_counters as c")
    .select((eb) => [
      "c.workspace_id",
      "c.last_event_id",
      eb
        .selectFrom("events as e")
        .select((e) => e.fn.min("e.id").as("first"))
        .whereRef("e.workspace_id", "=", "c.workspace_id")
        .as("first"),
    ])
    .where("c.last_event_id", ">", most)
    .execute();
  const beyond = rows
    .map(({ workspace_id, last_event_id, first }) => ({
      workspace_id,
      first: Number(first ?? Infinity),
      last: last_event_id - most,
    }))
    .find(({ first, last }) => first <= last);
  if (!beyond) return false;
  const { workspace_id, first, last } = beyond;
  await removeUpTo(database, [{ workspace_id, id: Math.min(first + STEP - 1, last) }]);
  return true;
}
