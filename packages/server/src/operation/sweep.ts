import { Loop } from "../background/loop.ts";
import type { Config } from "../config.ts";
import type { Tx } from "../db/database.ts";
import { removeUnusedPictures } from "../domain/content/remote-pictures/remove-unused.ts";
import type { Services } from "../services.ts";
import { DAY_MS } from "../time.ts";
import { limitTrash } from "./limit-trash.ts";
import { applyRowLimits } from "./row-limits.ts";
import { thinHistories } from "./thin-histories.ts";

const PAUSE_MS = 60_000;
/** Rows removed in one transaction: few enough to let others write in between. */
const BATCH = 1000;
/** The limits count whole tables, so only some rounds apply them. */
const BOUNDS_EVERY = 10;
const JOBS_KEPT_MS = 90 * DAY_MS;

type Times = Pick<
  Config,
  "rateLimitWindowS" | "auditRetentionDays" | "eventRetentionDays" | "sessionIdleDays" | "trashRetentionDays"
>;

/** Removes some expired rows and returns how many it looked at; a full batch means that there may be more. */
type Removal = (tx: Tx, now: number, times: Times) => Promise<number>;

const rateWindows: Removal = async (tx, now, { rateLimitWindowS }) => {
  await tx
    .deleteFrom("rate_windows")
    .where("window_start", "<", now - 2 * rateLimitWindowS * 1000)
    .execute();
  return 0;
};

const idempotencyKeys: Removal = async (tx, now) => {
  const isOld = now - DAY_MS;
  const old = await tx
    .selectFrom("idempotency_keys")
    .select("key")
    .where("created_at", "<", isOld)
    .orderBy("created_at")
    .limit(BATCH)
    .execute();
  const keys = [...new Set(old.map(({ key }) => key))];
  if (keys.length > 0)
    await tx.deleteFrom("idempotency_keys").where("created_at", "<", isOld).where("key", "in", keys).execute();
  return old.length;
};

const sessions: Removal = async (tx, now, { sessionIdleDays }) => {
  await tx
    .deleteFrom("sessions")
    .where((eb) => eb.or([eb("expires_at", "<", now), eb("last_seen_at", "<", now - sessionIdleDays * DAY_MS)]))
    .execute();
  return 0;
};

const spentTickets: Removal = async (tx, now) => {
  await tx.deleteFrom("spent_tickets").where("expires_at", "<", now).execute();
  return 0;
};

const deviceCodes: Removal = async (tx, now) => {
  // Stored a day longer than they are valid, so that a late poll learns that its code has expired.
  await tx
    .deleteFrom("device_codes")
    .where("expires_at", "<", now - DAY_MS)
    .execute();
  return 0;
};

const attempts: Removal = async (tx, now) => {
  await tx.deleteFrom("attempts").where("forgotten_at", "<", now).execute();
  return 0;
};

/** Its ids rise with time, so old rows come first. */
const auditLog: Removal = async (tx, now, { auditRetentionDays }) => {
  const first = await tx.selectFrom("audit_log").select(["id", "created_at"]).orderBy("id").limit(BATCH).execute();
  const old = first.filter(({ created_at }) => created_at < now - auditRetentionDays * DAY_MS).map(({ id }) => id);
  if (old.length > 0) await tx.deleteFrom("audit_log").where("id", "in", old).execute();
  return old.length;
};

const endedJobs: Removal = async (tx, now) => {
  const old = await tx
    .selectFrom("jobs")
    .select("id")
    .where("status", "in", ["succeeded", "failed", "obsolete"])
    .where("ready_at", "<", now - JOBS_KEPT_MS)
    .where("finished_at", "<", now - JOBS_KEPT_MS)
    .limit(BATCH)
    .execute();
  const ids = old.map(({ id }) => id);
  if (ids.length > 0) await tx.deleteFrom("jobs").where("id", "in", ids).execute();
  return ids.length;
};

const expiredShares: Removal = async (tx, now) => {
  await tx.deleteFrom("public_shares").where("expires_at", "<", now).execute();
  return 0;
};

/** Stored a day longer than the events that they hide. */
const formerRoles: Removal = async (tx, now, { eventRetentionDays }) => {
  await tx
    .deleteFrom("former_roles")
    .where("ended_at", "<", now - (eventRetentionDays + 1) * DAY_MS)
    .execute();
  return 0;
};

/** Stored as long as documents in the trash. */
const deletedComments: Removal = async (tx, now, { trashRetentionDays }) => {
  await tx
    .deleteFrom("deleted_comments")
    .where("deleted_at", "<=", now - trashRetentionDays * DAY_MS)
    .execute();
  return 0;
};

const removals = [
  deletedComments,
  formerRoles,
  expiredShares,
  rateWindows,
  idempotencyKeys,
  sessions,
  spentTickets,
  deviceCodes,
  attempts,
  auditLog,
  endedJobs,
];

/** Takes one step; returns true if there may be more. */
export async function sweepSome({ database, config }: Pick<Services, "database" | "config">): Promise<boolean> {
  const now = Date.now();
  let hasMore = false;
  for (const remove of removals)
    if ((await database.transaction((tx) => remove(tx, now, config))) >= BATCH) hasMore = true;
  return hasMore;
}

/** Removes expired rows, in small transactions, by one process at a time, until nothing is left. */
export function startSweep(services: Services): () => Promise<void> {
  let rounds = 0;
  const loop: Loop = new Loop({
    round: async () => {
      await services.leases.during("sweep", async () => {
        while (!loop.signal.aborted && (await sweepSome(services)));
        while (!loop.signal.aborted && (await removeUnusedPictures(services, Date.now())));
        while (!loop.signal.aborted && (await thinHistories(services, Date.now())));
        if (++rounds % BOUNDS_EVERY !== 1) return;
        await applyRowLimits(services, loop.signal);
        await limitTrash(services);
      });
    },
    pauseMs: () => PAUSE_MS * (0.5 + Math.random()),
    failed: (error) => services.log.warn({ err: error }, "sweep failed"),
  });
  return loop.stop;
}
