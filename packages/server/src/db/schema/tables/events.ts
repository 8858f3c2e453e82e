import type { JsonText } from "../json-text.ts";

export interface EventRow {
  workspace_id: string;
  id: number;
  type: string;
  document_id: string;
  document_set_id: string | null;
  locale: string | null;
  /** The only person who sees it; null: everybody of the workspace. */
  user_id: string | null;
  created_at: number;
  /** The event's `data` as it is sent, JSON. */
  data: string;
}

/** What one write did to a body, by top-level block: a watermark that a change cursor can stand at. */
export interface ChangeRow {
  workspace_id: string;
  document_id: string;
  /** Of the body after the write. */
  revision: number;
  before_version: string;
  version: string;
  item_count: number;
  /** JSON, see resources/changes/stored-items.ts. */
  items: string;
}

/** A subscription: where events of a workspace are sent to. */
export interface WebhookRow {
  workspace_id: string;
  id: string;
  url: string;
  description: string;
  /** JSON array. */
  event_types: JsonText<string[]>;
  /** Null for the whole workspace. */
  knowledge_base_id: number | null;
  /** 0 when paused by a person, or given up by the server, which then says why in `disabled_reason`. */
  enabled: number;
  /** `{code, message, at}`, JSON. */
  disabled_reason: string | null;
  /** The signing secret follows from this and the server's secret. */
  secret_nonce: string;
  /** The secret before, which signs too until `old_secret_expires_at`. */
  old_secret_nonce: string | null;
  old_secret_expires_at: number;
  /** Events up to this id have become deliveries, or were not wanted. */
  last_event_id: number;
  /** Failed attempts since the last that was accepted. */
  failures: number;
  failing_since: number | null;
  /** While it fails: when the receiver is tried next. */
  retry_at: number;
  /** When somebody has to look at it, apart from new events. */
  next_at: number;
  /** When it was last looked after. */
  served_at: number;
  revision: number;
  /** 1 when it is gone for everybody and its deliveries are still to be removed, in the background. */
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
  /** What the receiver knows repeats by. */
  message_id: string;
  /** Orders the deliveries of events; null for the others. */
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
