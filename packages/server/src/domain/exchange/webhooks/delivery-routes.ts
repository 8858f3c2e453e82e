import { accepted, ok } from "../../../http/answer.ts";
import { pageOf } from "../../../http/page.ts";
import { post, type Route, read } from "../../../http/route.ts";
import { getDelivery, listDeliveries } from "./delivery-queries.ts";
import { exampleDelivery, examplePayload, exampleRedelivery, exampleTest } from "./examples.ts";
import { readScopes, requireEditor, writeScopes } from "./managers.ts";
import { getWebhook } from "./queries.ts";
import { representDelivery } from "./represent.ts";
import { Delivery, DeliveryParams, DeliveryQuery, DeliveryWithPayload, WebhookParams } from "./schema.ts";
import { redeliver, sendTest } from "./send-by-hand.ts";

const tag = "Webhooks";
const POLL = "It is sent in the background: read the delivery to see what came of it.";

export const webhookDeliveryRoutes: Route[] = [
  read({
    operation: "list_webhook_deliveries",
    path: "/webhooks/{id}/deliveries",
    tag,
    summary: "Past and pending deliveries, newest first.",
    description: "Ended deliveries are kept for a week by default. For owners and editors.",
    scopes: readScopes,
    access: { action: "read", subject: "webhook" },
    params: WebhookParams,
    query: DeliveryQuery,
    errors: ["insufficient_role"],
    success: { status: 200, description: "A page of them.", data: Delivery, list: true, example: exampleDelivery },
    handler: async ({ app, caller, db, params, query }) => {
      requireEditor(caller);
      const webhook = await getWebhook(db, caller.workspaceId, params.id);
      return pageOf(app.secret, ["webhook_deliveries", params.id, query.status], query, {
        fetch: ([before], size) =>
          listDeliveries(db, webhook, query.status, before === undefined ? undefined : String(before), size),
        keyOf: (row) => [row.id],
        represent: representDelivery,
      });
    },
  }),
  read({
    operation: "get_webhook_delivery",
    path: "/webhooks/{id}/deliveries/{deliveryId}",
    tag,
    summary: "One delivery, with the body that is sent.",
    description: "For owners and editors.",
    scopes: readScopes,
    access: { action: "read", subject: "webhook" },
    params: DeliveryParams,
    errors: ["insufficient_role"],
    success: {
      status: 200,
      description: "It.",
      data: DeliveryWithPayload,
      example: { ...exampleDelivery, payload: examplePayload },
    },
    handler: async ({ caller, db, params }) => {
      requireEditor(caller);
      const webhook = await getWebhook(db, caller.workspaceId, params.id);
      const row = await getDelivery(db, webhook, params.deliveryId);
      return ok({ ...representDelivery(row), payload: JSON.parse(row.payload) });
    },
  }),
  post({
    operation: "redeliver_webhook_delivery",
    path: "/webhooks/{id}/deliveries/{deliveryId}/redeliver",
    tag,
    summary: "Send a delivery once more.",
    description: `The same \`webhook-id\` and body, tried once, also while the webhook is paused. ${POLL}`,
    scopes: writeScopes,
    access: { action: "write", subject: "webhook" },
    params: DeliveryParams,
    errors: ["quota_exceeded"],
    success: { status: 202, description: "The new delivery.", data: Delivery, example: exampleRedelivery },
    handler: async ({ caller, tx, params }) =>
      accepted(representDelivery(await redeliver(tx, caller.workspaceId, params.id, params.deliveryId))),
  }),
  post({
    operation: "test_webhook",
    path: "/webhooks/{id}/test",
    tag,
    summary: "Send a test message.",
    description: `Of type \`webhook.test\`, tried once, also while the webhook is paused. ${POLL}`,
    scopes: writeScopes,
    access: { action: "write", subject: "webhook" },
    params: WebhookParams,
    errors: ["quota_exceeded"],
    success: { status: 202, description: "The delivery.", data: Delivery, example: exampleTest },
    handler: async ({ caller, tx, params }) =>
      accepted(representDelivery(await sendTest(tx, caller.workspaceId, params.id))),
  }),
];
