import type { WebhookDeliveryRow, WebhookRow } from "../../../db/schema/tables/events.ts";
import { webhookVersion } from "./queries.ts";
import { isFailing } from "./state.ts";

function statusOf(row: WebhookRow): "active" | "failing" | "paused" | "disabled" {
  if (row.enabled === 0) return row.disabled_reason === null ? "paused" : "disabled";
  return isFailing(row) ? "failing" : "active";
}

export const representWebhook = (row: WebhookRow) => ({
  id: row.id,
  url: row.url,
  description: row.description,
  event_types: JSON.parse(row.event_types),
  knowledge_base_id: row.knowledge_base_id,
  enabled: row.enabled === 1,
  format: row.format ?? "standard",
  status: statusOf(row),
  disabled_reason: row.disabled_reason === null ? null : JSON.parse(row.disabled_reason),
  failing_since: row.failing_since,
  next_attempt_at: row.enabled === 1 && isFailing(row) ? row.retry_at : null,
  last_event_id: row.last_event_id,
  previous_secret_expires_at: row.old_secret_expires_at > Date.now() ? row.old_secret_expires_at : null,
  version: webhookVersion(row),
  created_by: row.created_by,
  created_at: row.created_at,
  updated_at: row.updated_at,
});

export const representDelivery = (row: WebhookDeliveryRow) => ({
  id: row.id,
  webhook_id: row.webhook_id,
  kind: row.kind,
  message_id: row.message_id,
  event_id: row.event_id,
  event_type: row.event_type,
  redelivery_of: row.redelivery_of,
  status: row.status,
  attempts: row.attempts,
  response_status: row.response_status,
  response_body: row.response_body,
  error: row.error === null ? null : JSON.parse(row.error),
  duration_ms: row.duration_ms,
  created_at: row.created_at,
  last_attempt_at: row.last_attempt_at,
  next_attempt_at: row.next_attempt_at,
  finished_at: row.finished_at,
});
