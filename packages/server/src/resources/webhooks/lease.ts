import type { Database, Reader, Tx } from "../../db/database.ts";
import type { WebhookRow } from "../../db/schema/tables/events.ts";
import { findNextDue, listManual } from "./delivery-queries.ts";
import { IDLE, isFailing } from "./state.ts";

export const LEASE_MS = 10_000;
export const RENEW_MS = 3000;

type Key = Pick<WebhookRow, "workspace_id" | "id">;

/** Webhooks that nobody holds and that have something to do, the longest unserved first. */
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
    .where("w.lease_until", "<=", now)
    .where((eb) =>
      eb.or([
        eb("w.next_at", "<=", now),
        eb.and([
          eb("w.enabled", "=", 1),
          eb("w.retry_at", "<=", now),
          eb("w.last_event_id", "!=", eb.ref("c.last_event_id")),
        ]),
      ]),
    );
  if (workspaceIds) rows = rows.where("w.workspace_id", "in", workspaceIds);
  return rows.orderBy("w.lease_until").limit(limit).execute();
}

export const isAnyThere = async (db: Reader): Promise<boolean> =>
  (await db.selectFrom("webhooks").select("id").where("deleted", "=", 0).limit(1).execute()).length > 0;

/** Takes a webhook, unless another process was faster. `owner` is new for every take. */
export const claim = (database: Database, key: Key, owner: string): Promise<WebhookRow | undefined> => {
  const now = Date.now();
  return database.transaction((tx) =>
    tx
      .updateTable("webhooks")
      // Should it be killed meanwhile, the next one looks what there is to do.
      .set({ lease_owner: owner, lease_until: now + LEASE_MS, next_at: 0 })
      .where("workspace_id", "=", key.workspace_id)
      .where("id", "=", key.id)
      .where("deleted", "=", 0)
      .where("lease_until", "<=", now)
      .returningAll()
      .executeTakeFirst(),
  );
};

/** Changes a webhook that is still held and holds it on; undefined when it was lost or deleted. Locks its row. */
export const updateHeld = (
  tx: Tx,
  held: WebhookRow,
  changes: Partial<WebhookRow> = {},
): Promise<WebhookRow | undefined> =>
  tx
    .updateTable("webhooks")
    .set({ lease_until: Date.now() + LEASE_MS, ...changes })
    .where("workspace_id", "=", held.workspace_id)
    .where("id", "=", held.id)
    .where("deleted", "=", 0)
    .where("lease_owner", "=", held.lease_owner)
    .returningAll()
    .executeTakeFirst();

/** Lets a webhook go and says when it has something to do next. What was asked for meanwhile is seen: the row is locked. */
export const release = (database: Database, held: WebhookRow): Promise<void> =>
  database.transaction(async (tx) => {
    const row = await updateHeld(tx, held);
    if (!row) return;
    await updateHeld(tx, row, { lease_owner: null, lease_until: Date.now(), next_at: await nextAt(tx, row) });
  });

async function nextAt(tx: Tx, row: WebhookRow): Promise<number> {
  if ((await listManual(tx, row, 1)).length > 0) return 0;
  const due = row.enabled === 1 ? await findNextDue(tx, row) : undefined;
  if (due === undefined) return IDLE;
  return isFailing(row) ? row.retry_at : due;
}
