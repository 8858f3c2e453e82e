import { isDue } from "../../../background/due.ts";
import type { Reader, Tx } from "../../../db/database.ts";
import type { WebhookDeliveryRow, WebhookRow } from "../../../db/schema/tables/events.ts";
import { batchesOf } from "../../../db/statement/batches.ts";
import { notFound } from "../../../errors.ts";
import { MAX_WAIT_MS } from "./state.ts";

type Key = Pick<WebhookRow, "workspace_id" | "id">;

const automatic = ["event", "sync"] as const;
const manual = ["test", "redelivery"] as const;

const ofWebhook = (db: Reader, { workspace_id, id }: Key) =>
  db.selectFrom("webhook_deliveries").selectAll().where("workspace_id", "=", workspace_id).where("webhook_id", "=", id);

export async function getDelivery(db: Reader, webhook: Key, id: string): Promise<WebhookDeliveryRow> {
  const row = await ofWebhook(db, webhook).where("id", "=", id).executeTakeFirst();
  if (!row) throw notFound("delivery", id);
  return row;
}

/** Newest first. */
export function listDeliveries(
  db: Reader,
  webhook: Key,
  status: WebhookDeliveryRow["status"] | undefined,
  before: string | undefined,
  limit: number,
): Promise<WebhookDeliveryRow[]> {
  let rows = ofWebhook(db, webhook);
  if (status !== undefined) rows = rows.where("status", "=", status);
  if (before !== undefined) rows = rows.where("id", "<", before);
  return rows.orderBy("id", "desc").limit(limit).execute();
}

export async function insertDeliveries(tx: Tx, rows: readonly WebhookDeliveryRow[]): Promise<void> {
  for (const some of batchesOf(rows)) await tx.insertInto("webhook_deliveries").values(some).execute();
}

const pending = (db: Reader, webhook: Key) => ofWebhook(db, webhook).where("status", "=", "pending");

/** Deliveries requested by a person, in the order of the requests. */
export const listManual = (db: Reader, webhook: Key, limit: number): Promise<WebhookDeliveryRow[]> =>
  pending(db, webhook).where("kind", "in", manual).orderBy("id").limit(limit).execute();

/** Waiting events in order; with `dueAt`, only those due by then. */
export function listWaiting(
  db: Reader,
  webhook: Key,
  dueAt: number | undefined,
  limit: number,
): Promise<WebhookDeliveryRow[]> {
  let rows = pending(db, webhook).where("kind", "in", automatic);
  if (dueAt !== undefined) rows = rows.where(isDue("next_attempt_at", dueAt, MAX_WAIT_MS));
  return rows.orderBy("event_id").orderBy("id").limit(limit).execute();
}

export async function findNextDue(db: Reader, webhook: Key): Promise<number | undefined> {
  const row = await pending(db, webhook)
    .where("kind", "in", automatic)
    .clearSelect()
    .select((eb) => eb.fn.min<number | null>("next_attempt_at").as("due"))
    .executeTakeFirst();
  return row?.due ?? undefined;
}

export async function countManual(db: Reader, webhook: Key): Promise<number> {
  const rows = await pending(db, webhook).where("kind", "in", manual).clearSelect().select("id").execute();
  return rows.length;
}

export const updateDelivery = (tx: Tx, row: WebhookDeliveryRow, changes: Partial<WebhookDeliveryRow>) =>
  tx
    .updateTable("webhook_deliveries")
    .set(changes)
    .where("workspace_id", "=", row.workspace_id)
    .where("webhook_id", "=", row.webhook_id)
    .where("id", "=", row.id)
    .execute();

/** Ends all waits, because the receiver is back or should be tried again. */
export const endWaits = (tx: Tx, webhook: Key, changes: Partial<WebhookDeliveryRow>) =>
  tx
    .updateTable("webhook_deliveries")
    .set(changes)
    .where("workspace_id", "=", webhook.workspace_id)
    .where("webhook_id", "=", webhook.id)
    .where("status", "=", "pending")
    .where("kind", "in", automatic)
    .execute();

/** Drops the oldest deliveries if more than `most` wait. */
export async function dropOverrun(tx: Tx, webhook: Key, most: number, now: number): Promise<void> {
  const waiting = await pending(tx, webhook)
    .where("kind", "in", automatic)
    .orderBy("event_id", "desc")
    .offset(most)
    .limit(500)
    .execute();
  const error = JSON.stringify({ code: "overrun", message: "Too many others were waiting." });
  for (const row of waiting)
    await updateDelivery(tx, row, { status: "failed", error, next_attempt_at: null, finished_at: now });
}
