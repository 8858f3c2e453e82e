import { isDue, NEVER } from "../../../background/due.ts";
import type { Lease, Leases, Taken } from "../../../background/lease.ts";
import type { Database, Reader, Tx } from "../../../db/database.ts";
import type { WebhookRow } from "../../../db/schema/tables/events.ts";
import { findNextDue, listManual } from "./delivery-queries.ts";
import { isFailing, MAX_WAIT_MS } from "./state.ts";

type Key = Pick<WebhookRow, "workspace_id" | "id">;

const PREFIX = "webhook:";

/** Unheld webhooks that have work to do, longest unserved first. */
export async function listReady(
  db: Reader,
  now: number,
  workspaceIds: readonly string[] | undefined,
  limit: number,
): Promise<Key[]> {
  let rows = db
    .selectFrom("webhooks as w")
    .innerJoin("workspace_counters as c", "c.workspace_id", "w.workspace_id")
    .select(["w.workspace_id", "w.id"])
    .where("w.deleted", "=", 0)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("leases as l")
            .select("l.name")
            .where("l.name", "=", eb(eb.val(PREFIX), "||", eb.ref("w.id"))),
        ),
      ),
    )
    .where((eb) =>
      eb.or([
        isDue("w.next_at", now, MAX_WAIT_MS),
        eb.and([
          eb("w.enabled", "=", 1),
          isDue("w.retry_at", now, MAX_WAIT_MS),
          eb("w.last_event_id", "!=", eb.ref("c.last_event_id")),
        ]),
      ]),
    );
  if (workspaceIds) rows = rows.where("w.workspace_id", "in", workspaceIds);
  return rows.orderBy("w.served_at").limit(limit).execute();
}

export const isAnyThere = async (db: Reader): Promise<boolean> =>
  (await db.selectFrom("webhooks").select("id").where("deleted", "=", 0).limit(1).execute()).length > 0;

/** Takes the lease of a webhook, unless another process was faster. */
export const take = (leases: Leases, key: Key): Promise<Taken<WebhookRow> | undefined> =>
  leases.take(PREFIX + key.id, (tx) =>
    // If this process is killed meanwhile, the next one checks for work.
    update(tx, key, { served_at: Date.now(), next_at: 0 }),
  );

/**
 * Updates a webhook while its lease is held and locks its row. Returns undefined if it was deleted; throws if the lease
 * is lost.
 */
export async function updateHeld(
  tx: Tx,
  lease: Lease,
  held: WebhookRow,
  changes: Partial<WebhookRow> = {},
): Promise<WebhookRow | undefined> {
  await lease.hold(tx);
  return update(tx, held, { served_at: Date.now(), ...changes });
}

/** Releases a webhook and stores when it next has work. Requests made meanwhile are seen, because the row is locked. */
export const release = (database: Database, lease: Lease, held: WebhookRow): Promise<void> =>
  database.transaction(async (tx) => {
    await lease.release(tx);
    const row = await update(tx, held, { served_at: Date.now() });
    if (row) await update(tx, row, { next_at: await nextAt(tx, row) });
  });

const update = (tx: Tx, key: Key, changes: Partial<WebhookRow>): Promise<WebhookRow | undefined> =>
  tx
    .updateTable("webhooks")
    .set(changes)
    .where("workspace_id", "=", key.workspace_id)
    .where("id", "=", key.id)
    .where("deleted", "=", 0)
    .returningAll()
    .executeTakeFirst();

async function nextAt(tx: Tx, row: WebhookRow): Promise<number> {
  if ((await listManual(tx, row, 1)).length > 0) return 0;
  const due = row.enabled === 1 ? await findNextDue(tx, row) : undefined;
  if (due === undefined) return NEVER;
  return isFailing(row) ? row.retry_at : due;
}
