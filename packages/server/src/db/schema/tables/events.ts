import type { JsonText } from "../json-text.ts";

export interface EventRow {
  workspace_id: string;
  id: number;
  type: string;
  document_id: string;
  document_set_id: string | null;
  locale: string | null;
  /** The only person who sees the event; null: everyone in the workspace. */
  user_id: string | null;
  created_at: number;
  /** The event's `data` as it is sent, JSON. */
  data: string;
}

/** The effect of one write on a body, by top-level block: a watermark that a change cursor can point to. */
export interface ChangeRow {
  workspace_id: string;
  document_id: string;
  /** The body's revision after the write. */
  revision: number;
  before_version: string;
  version: string;
  item_count: number;
  /** JSON, see domain/content/changes/stored-items.ts. */
  items: string;
}

/** A webhook: a subscriber to the events of a workspace. */
export interface WebhookRow {
  workspace_id: string;
  id: string;
  url: string;
  description: string;
  /** JSON array. */
  event_types: JsonText<string[]>;
  /** Null for the whole workspace. */
  knowledge_base_id: number | null;
  /** 0 if a person paused it, or the server gave up; then `disabled_reason` says why. */
  enabled: number;
  /** Null for the standard format. */
  format: "standard" | "slack" | "teams" | "discord" | null;
  /** `{code, message, at}`, JSON. */
  disabled_reason: string | null;
  /** The signing secret is derived from this and the server's secret. */
  secret_nonce: string;
  /** The previous secret, which also signs until `old_secret_expires_at`. */
  old_secret_nonce: string | null;
  old_secret_expires_at: number;
  /** Events up to this id have become deliveries or were not subscribed to. */
  last_event_id: number;
  /** Failed attempts since the last success. */
  failures: number;
  failing_since: number | null;
  /** While it fails: the time of the next attempt. */
  retry_at: number;
  /** When it needs attention, apart from new events. */
  next_at: number;
  /** When it was last processed. */
  served_at: number;
  revision: number;
  /** 1 if it is deleted for its users and its deliveries are still to be removed in the background. */
  deleted: number;
  created_by: string;
  created_at: number;
  updated_at: number;
}

export interface WebhookDeliveryRow {
  workspace_id: string;
  webhook_id: string;
  id: string;
  kind: "event" | "sync" | "test" | "redelivery";
  /** The id by which the receiver recognises repeated deliveries. */
  message_id: string;
  /** Orders the deliveries of events; null for other deliveries. */
  event_id: number | null;
  event_type: string;
  /** The body as it is sent, JSON. */
  payload: string;
  redelivery_of: string | null;
  status: "pending" | "succeeded" | "failed";
  attempts: number;
  first_attempt_at: number | null;
  last_attempt_at: number | null;
  next_attempt_at: number | null;
  response_status: number | null;
  /** The first bytes of the answer, as text. */
  response_body: string | null;
  /** `{code, message}`, JSON. */
  error: string | null;
  duration_ms: number | null;
  created_at: number;
  finished_at: number | null;
}
