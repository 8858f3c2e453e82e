import type { Tx } from "../../../db/database.ts";
import type { WebhookDeliveryRow, WebhookRow } from "../../../db/schema/tables/events.ts";
import { quotaExceeded } from "../../../quota-error.ts";
import { countManual, getDelivery, insertDeliveries } from "./delivery-queries.ts";
import { redeliveryOf, testDelivery } from "./message.ts";
import { lockWebhook, wakeWebhook } from "./queries.ts";

const MAX_PENDING = 100;

/** Sends a test message once, as soon as possible, whatever state the webhook is in. */
export async function sendTest(tx: Tx, workspaceId: string, id: string): Promise<WebhookDeliveryRow> {
  const webhook = await lockWebhook(tx, workspaceId, id);
  return append(tx, webhook, testDelivery(webhook, Date.now()));
}

/** Sends a delivery again: same message id and body, new signature. */
export async function redeliver(
  tx: Tx,
  workspaceId: string,
  id: string,
  deliveryId: string,
): Promise<WebhookDeliveryRow> {
  const webhook = await lockWebhook(tx, workspaceId, id);
  return append(tx, webhook, redeliveryOf(webhook, await getDelivery(tx, webhook, deliveryId), Date.now()));
}

async function append(tx: Tx, webhook: WebhookRow, row: WebhookDeliveryRow): Promise<WebhookDeliveryRow> {
  const used = await countManual(tx, webhook);
  if (used >= MAX_PENDING) throw quotaExceeded("webhook_deliveries", MAX_PENDING, used);
  await insertDeliveries(tx, [row]);
  await wakeWebhook(tx, webhook);
  return row;
}
