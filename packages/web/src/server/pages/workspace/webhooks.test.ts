import assert from "node:assert/strict";
import { test } from "node:test";
import { webhookPage } from "./webhooks.ts";

test("WEB33 a delivery whose time has come is queued, and is not tried in the past", () => {
  const now = 1_795_000_000_000;
  const delivery = {
    id: "dlv_1",
    event_type: "document.created",
    status: "pending",
    attempts: 1,
    response_status: 500,
    error: null,
    duration_ms: 3,
    created_at: now - 7_200_000,
  } as const;
  const webhook = {
    id: "hook_1",
    url: "https://example.com/",
    description: "",
    event_types: [],
    knowledge_base_id: null,
    status: "failing",
    disabled_reason: null,
    failing_since: now - 7_200_000,
    next_attempt_at: now + 600_000,
    created_at: now - 9_000_000,
  } as const;
  const deliveries = [now - 3_600_000, now + 600_000].map((at) => ({ ...delivery, next_attempt_at: at }));
  const { text } = webhookPage({
    ...{ formToken: "", webhook, deliveries, now },
    ...{ baseName: undefined, hasAllTypes: true },
  }).main;
  assert.match(text, /queued/);
  assert.equal(text.match(/next attempt <time/g)?.length, 1);
});
