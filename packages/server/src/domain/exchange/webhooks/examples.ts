import { exampleEvent } from "../events/schema.ts";

export const exampleWebhook = {
  id: "hook_01K9ZQ4T6N4Y3V7J8W2M5R1XCL",
  url: "https://example.com/hooks/svc",
  description: "Search index of the website",
  event_types: ["document.created", "document.content.updated", "document.deleted"],
  knowledge_base_id: 7,
  enabled: true,
  format: "standard",
  status: "active",
  disabled_reason: null,
  failing_since: null,
  next_attempt_at: null,
  last_event_id: 1043,
  previous_secret_expires_at: null,
  version: "sha256:3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855a",
  created_by: "user_01K9ZQ4T6N4Y3V7J8W2M5R1XCD",
  created_at: 1794700000000,
  updated_at: 1794700000000,
};

export const exampleSecret = { ...exampleWebhook, secret: "whsec_c2VjcmV0IG9mIHRoaXJ0eS10d28gYnl0ZXMsIGhlcmU=" };

export const exampleDelivery = {
  id: "dlv_01K9ZQ4T6N4Y3V7J8W2M5R1XCM",
  webhook_id: exampleWebhook.id,
  kind: "event",
  message_id: "evt_01K9ZQ4T6N4Y3V7J8W2M5R1XCF_1043",
  event_id: exampleEvent.event_id,
  event_type: exampleEvent.type,
  redelivery_of: null,
  status: "succeeded",
  attempts: 1,
  response_status: 204,
  response_body: "",
  error: null,
  duration_ms: 41,
  created_at: 1794729600010,
  last_attempt_at: 1794729600012,
  next_attempt_at: null,
  finished_at: 1794729600053,
};

export const exampleTest = {
  ...exampleDelivery,
  kind: "test",
  message_id: "test_01K9ZQ4T6N4Y3V7J8W2M5R1XCM",
  event_id: null,
  event_type: "webhook.test",
  status: "pending",
  attempts: 0,
  response_status: null,
  response_body: null,
  duration_ms: null,
  last_attempt_at: null,
  next_attempt_at: exampleDelivery.created_at,
  finished_at: null,
};

export const exampleRedelivery = {
  ...exampleTest,
  kind: "redelivery",
  message_id: exampleDelivery.message_id,
  event_id: exampleDelivery.event_id,
  event_type: exampleDelivery.event_type,
  redelivery_of: exampleDelivery.id,
};

export const examplePayload = { type: exampleEvent.type, timestamp: exampleEvent.created_at, data: exampleEvent };
