import type { WebhookDeliveryRow, WebhookRow } from "../../../db/schema/tables/events.ts";
import type { StoredEvent } from "../../../events/queries.ts";
import type { SyncRequired } from "../../../events/resume.ts";
import { newId } from "../../../ids.ts";
import { SYNC_REQUIRED, TEST } from "./schema.ts";

type Content = Pick<
  WebhookDeliveryRow,
  "kind" | "message_id" | "event_id" | "event_type" | "payload" | "redelivery_of"
>;

/** A delivery that waits for its first attempt. */
const newDelivery = (webhook: WebhookRow, id: string, content: Content, now: number): WebhookDeliveryRow => ({
  workspace_id: webhook.workspace_id,
  webhook_id: webhook.id,
  id,
  ...content,
  status: "pending",
  attempts: 0,
  first_attempt_at: null,
  last_attempt_at: null,
  next_attempt_at: now,
  response_status: null,
  response_body: null,
  error: null,
  duration_ms: null,
  created_at: now,
  finished_at: null,
});

const bodyOf = (type: string, time: number, dataJson: string): string =>
  `{"type":${JSON.stringify(type)},"timestamp":"${new Date(time).toISOString()}","data":${dataJson}}`;

const withoutPrefix = (id: string): string => id.slice(id.indexOf("_") + 1);

/** Event ids are unique only within a workspace, so a message carries both, for receivers of several workspaces. */
export const eventDelivery = (webhook: WebhookRow, event: StoredEvent, now: number): WebhookDeliveryRow =>
  newDelivery(
    webhook,
    newId("dlv"),
    {
      kind: "event",
      message_id: `evt_${withoutPrefix(webhook.workspace_id)}_${event.id}`,
      event_id: event.id,
      event_type: event.type,
      payload: bodyOf(event.type, event.created_at, event.data),
      redelivery_of: null,
    },
    now,
  );

/** Notifies the receiver that events are missing and how to catch up. */
export function syncDelivery(webhook: WebhookRow, sync: SyncRequired, now: number): WebhookDeliveryRow {
  const id = newId("dlv");
  const data = JSON.stringify({ workspace_id: webhook.workspace_id, ...sync });
  return newDelivery(
    webhook,
    id,
    {
      kind: "sync",
      message_id: `sync_${withoutPrefix(id)}`,
      event_id: sync.resume_from,
      event_type: SYNC_REQUIRED,
      payload: bodyOf(SYNC_REQUIRED, now, data),
      redelivery_of: null,
    },
    now,
  );
}

export function testDelivery(webhook: WebhookRow, now: number): WebhookDeliveryRow {
  const id = newId("dlv");
  const data = JSON.stringify({ workspace_id: webhook.workspace_id, webhook_id: webhook.id });
  return newDelivery(
    webhook,
    id,
    {
      kind: "test",
      message_id: `test_${withoutPrefix(id)}`,
      event_id: null,
      event_type: TEST,
      payload: bodyOf(TEST, now, data),
      redelivery_of: null,
    },
    now,
  );
}

export const redeliveryOf = (webhook: WebhookRow, first: WebhookDeliveryRow, now: number): WebhookDeliveryRow =>
  newDelivery(
    webhook,
    newId("dlv"),
    {
      kind: "redelivery",
      message_id: first.message_id,
      event_id: first.event_id,
      event_type: first.event_type,
      payload: first.payload,
      redelivery_of: first.id,
    },
    now,
  );
