import { defined } from "@svc/document/defined";
import type { Lease } from "../../../background/lease.ts";
import { readJson } from "../../../db/schema/json-text.ts";
import type { WebhookDeliveryRow, WebhookRow } from "../../../db/schema/tables/events.ts";
import { eventReads, type StoredEvent } from "../../../events/queries.ts";
import { isNext, retainedSince, syncRequired } from "../../../events/resume.ts";
import type { Services } from "../../../services.ts";
import { dropOverrun, insertDeliveries } from "./delivery-queries.ts";
import { updateHeld } from "./lease.ts";
import { eventDelivery, syncDelivery } from "./message.ts";

const BATCH = 100;
/** Limit of waiting deliveries per receiver; the event log keeps the rest. */
const MAX_WAITING = 1000;

const wants = (webhook: WebhookRow, event: StoredEvent): boolean =>
  event.user_id === null &&
  readJson(webhook.event_types).includes(event.type) &&
  (webhook.knowledge_base_id === null ||
    JSON.parse(event.data).document.knowledge_base_id === webhook.knowledge_base_id);

interface Taken {
  readonly deliveries: readonly WebhookDeliveryRow[];
  readonly lastEventId: number;
}

/**
 * Converts the next events of the log to deliveries and moves the webhook's position past them, in one transaction.
 * Returns the resulting webhook: the same object if there was nothing, undefined if it was deleted.
 */
export async function takeEvents(app: Services, held: WebhookRow, lease: Lease): Promise<WebhookRow | undefined> {
  const taken = await nextDeliveries(app, held);
  if (!taken) return held;
  return app.database.transaction(async (tx) => {
    const row = await updateHeld(tx, lease, held, { last_event_id: taken.lastEventId });
    if (!row) return undefined;
    await insertDeliveries(tx, taken.deliveries);
    if (taken.deliveries.length > 0) await dropOverrun(tx, row, MAX_WAITING, Date.now());
    return row;
  });
}

async function nextDeliveries(
  { database, config }: Pick<Services, "database" | "config">,
  webhook: WebhookRow,
): Promise<Taken | undefined> {
  const { workspace_id, last_event_id } = webhook;
  const reads = eventReads(database.read);
  // The order matters: the second read cannot miss anything newer than `newest`.
  const newest = await reads.newest(workspace_id);
  if (newest === last_event_id) return undefined;
  const events = newest < last_event_id ? [] : await reads.after(workspace_id, last_event_id, BATCH);
  const now = Date.now();
  if (events[0] && isNext(events[0], last_event_id)) {
    const deliveries = events.filter((event) => wants(webhook, event)).map((e) => eventDelivery(webhook, e, now));
    return { deliveries, lastEventId: defined(events.at(-1)).id };
  }
  const reason = newest < last_event_id ? "cursor_unknown" : "cursor_expired";
  const since = retainedSince(config.eventRetentionDays);
  const sync = await syncRequired(database, workspace_id, newest, since, reason);
  return { deliveries: [syncDelivery(webhook, sync, now)], lastEventId: newest };
}
