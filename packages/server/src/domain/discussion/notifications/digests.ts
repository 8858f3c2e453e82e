import { Loop } from "../../../background/loop.ts";
import { newId } from "../../../ids.ts";
import { insertJob } from "../../../jobs/queries.ts";
import { NOTIFICATION_MAIL } from "../../../notify/notify.ts";
import type { Services } from "../../../services.ts";
import { DAY_MS, HOUR_MS } from "../../../time.ts";

const PAUSE_MS = 60_000;
/** Time of day (UTC) from which the mails about the previous day are sent. */
const SENT_AT_MS = 6 * HOUR_MS;
/** People per transaction. */
const BATCH = 50;
/** Limit of notifications in one mail; a person never has more than this. */
const MAX_IN_MAIL = 1000;

/** Notifications before this time belong to the daily mail that is due now. */
const digestCutoff = (now: number): number => Math.floor((now - SENT_AT_MS) / DAY_MS) * DAY_MS + SENT_AT_MS;

/** Queues the daily mails of some people and marks their rows in the same transaction; true if there may be more. */
export function queueDigests(
  { database, mailer, wakeJobs }: Pick<Services, "database" | "mailer" | "wakeJobs">,
  now: number,
): Promise<boolean> {
  const before = digestCutoff(now);
  return database.transaction(async (tx) => {
    const waiting = () =>
      tx.selectFrom("notifications").where("digest", "=", 1).where("created_at", "<", before).orderBy("id");
    const people = await waiting().select(["workspace_id", "user_id"]).clearOrderBy().distinct().limit(BATCH).execute();
    for (const { workspace_id: workspaceId, user_id } of people) {
      const rows = await waiting()
        .select("id")
        .where("workspace_id", "=", workspaceId)
        .where("user_id", "=", user_id)
        .limit(MAX_IN_MAIL)
        .execute();
      const ids = rows.map(({ id }) => id);
      await tx
        .updateTable("notifications")
        .set({ digest: 0 })
        .where("workspace_id", "=", workspaceId)
        .where("user_id", "=", user_id)
        .where("id", "in", ids)
        .execute();
      const payload = { user_id, ids, isDigest: true };
      const job = { workspaceId, id: newId("mail"), kind: NOTIFICATION_MAIL, payload, createdBy: user_id };
      if (mailer) await insertJob(tx, job, wakeJobs);
    }
    return people.length === BATCH;
  });
}

async function isAnyDue({ database }: Pick<Services, "database">, now: number): Promise<boolean> {
  const query = database.read.selectFrom("notifications").select("id").where("digest", "=", 1);
  return (await query.where("created_at", "<", digestCutoff(now)).limit(1).executeTakeFirst()) !== undefined;
}

/** Sends the daily mails from one process at a time. */
export function startDigests(services: Services): () => Promise<void> {
  const loop: Loop = new Loop({
    round: async () => {
      if (!(await isAnyDue(services, Date.now()))) return;
      await services.leases.during("notification digests", async () => {
        while (!loop.signal.aborted && (await queueDigests(services, Date.now())));
      });
    },
    pauseMs: () => PAUSE_MS * (0.5 + Math.random()),
    failed: (error) => services.log.warn({ err: error }, "daily mails could not be queued"),
  });
  return loop.stop;
}
