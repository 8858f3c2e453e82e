import { Type } from "typebox";
import { invalidRequest } from "../../../errors.ts";
import { created, deleted, ok } from "../../../http/answer.ts";
import { pageOf } from "../../../http/page.ts";
import { patch, post, type Route, read, remove } from "../../../http/route.ts";
import { deletedSchema } from "../../../http/schemas.ts";
import { shownSecret } from "../../../ports/webhooks/signature.ts";
import type { Services } from "../../../services.ts";
import { changeWebhook } from "./change-webhook.ts";
import { createWebhook } from "./create-webhook.ts";
import { deleteWebhook } from "./delete-webhook.ts";
import { exampleSecret, exampleWebhook } from "./examples.ts";
import { readScopes, requireEditor, writeScopes } from "./managers.ts";
import { getWebhook, listWebhooks, webhookVersion } from "./queries.ts";
import { representWebhook } from "./represent.ts";
import { rotateSecret } from "./rotate-secret.ts";
import { NewWebhook, PageQuery, Rotation, Webhook, WebhookChange, WebhookParams, WebhookWithSecret } from "./schema.ts";

const tag = "Webhooks";

/** Responds 400 for a forbidden address, before any other check. */
async function checkUrl({ webhooks }: Pick<Services, "webhooks">, url: string | undefined): Promise<void> {
  const problem = url === undefined ? undefined : webhooks.problem(url);
  if (problem) throw invalidRequest("body.url", problem);
}

export const webhookRoutes: Route[] = [
  read({
    operation: "list_webhooks",
    path: "/webhooks",
    tag,
    summary: "The webhooks of the workspace.",
    description: "For owners and editors.",
    scopes: readScopes,
    access: { action: "read", subject: "webhook" },
    query: PageQuery,
    errors: ["insufficient_role"],
    success: { status: 200, description: "A page of them.", data: Webhook, list: true, example: exampleWebhook },
    handler: async ({ app, caller, db, query }) => {
      requireEditor(caller);
      return pageOf(app.secret, { list: "webhooks" }, query, {
        fetch: ([after = ""], size) => listWebhooks(db, caller.workspaceId, String(after), size),
        keyOf: (row) => [row.id],
        represent: representWebhook,
      });
    },
  }),
  post({
    operation: "create_webhook",
    path: "/webhooks",
    tag,
    summary: "Have events sent to an address.",
    description: [
      "Every event from now on (of the types and of the knowledge base asked for; a document counts where it is after",
      "the change) is sent as a POST with the JSON body `{type, timestamp, data}`; `data` is the `Event` of the event",
      "stream. Headers follow the Standard Webhooks specification: `webhook-id` (the same whenever the same event is",
      "sent again), `webhook-timestamp` (seconds), and `webhook-signature`: `v1,` and the base64 of the HMAC-SHA256",
      "over `{webhook-id}.{webhook-timestamp}.{body}`, whose key is the base64 part of the secret. While an old secret",
      "is still valid there are two signatures, separated by a space.",
      "",
      "Any 2xx within ten seconds accepts; redirects are not followed. Delivery is at least once, in the order of the",
      "events, one at a time. An event that is not accepted is set aside, and the following ones go on; it is tried",
      "again after 5 seconds, 15, 45 and so on up to an hour, for a day. After three failures in a row the receiver",
      "itself is taken to be in trouble: then it is tried with the oldest event only, and when it accepts, all that",
      "waits follows in order. A receiver that fails for three days, or answers 410, is disabled. What a webhook missed",
      "while paused or disabled follows when it is enabled again, as long as the events are kept; beyond that it gets",
      "`sync.required` (`resume_from`, `oldest_available`, `reason`, `history`) as a stream does.",
    ].join("\n"),
    scopes: writeScopes,
    access: {
      action: "create",
      subject: "webhook",
      writes: { knowledge_base_id: "knowledge_base" },
      coversAllWithout: "knowledge_base_id",
    },
    body: NewWebhook,
    bodyExample: {
      url: exampleWebhook.url,
      event_types: exampleWebhook.event_types,
      knowledge_base_id: exampleWebhook.knowledge_base_id,
    },
    etag: true,
    errors: ["not_found", "quota_exceeded"],
    success: {
      status: 201,
      description: "The new webhook, with its secret.",
      data: WebhookWithSecret,
      example: exampleSecret,
    },
    prepare: ({ app, body }) => checkUrl(app, body.url),
    handler: async ({ app, caller, tx, body }) => {
      const row = await createWebhook(app, tx, caller, body);
      const secret = shownSecret(app.secret, row);
      return created({ ...representWebhook(row), secret }, { etag: webhookVersion(row) });
    },
  }),
  read({
    operation: "get_webhook",
    path: "/webhooks/{id}",
    tag,
    summary: "One webhook, and how it fares.",
    description: "The ETag changes with the settings, not with deliveries. For owners and editors.",
    scopes: readScopes,
    access: { action: "read", subject: "webhook" },
    params: WebhookParams,
    errors: ["insufficient_role"],
    success: {
      status: 200,
      description: "It.",
      headers: { ETag: "The version, quoted." },
      data: Webhook,
      example: exampleWebhook,
    },
    handler: async ({ caller, db, params }) => {
      requireEditor(caller);
      const row = await getWebhook(db, caller.workspaceId, params.id);
      return ok(representWebhook(row), { etag: webhookVersion(row) });
    },
  }),
  patch({
    operation: "change_webhook",
    path: "/webhooks/{id}",
    tag,
    summary: "Change, pause or take up a webhook.",
    description: "A field left out stays. A new address, or `enabled: true`, tries what waits at once.",
    scopes: writeScopes,
    access: {
      action: "write",
      subject: "webhook",
      writes: { knowledge_base_id: "knowledge_base" },
      coversAllWithout: "knowledge_base_id",
    },
    params: WebhookParams,
    body: WebhookChange,
    bodyExample: { enabled: false },
    ifMatch: "optional",
    etag: true,
    success: {
      status: 200,
      description: "It, changed.",
      data: Webhook,
      example: { ...exampleWebhook, enabled: false, status: "paused" },
    },
    prepare: ({ app, body }) => checkUrl(app, body.url),
    handler: async ({ caller, tx, params, body, ifMatch }) => {
      const row = await changeWebhook(tx, caller.workspaceId, params.id, body, ifMatch);
      return ok(representWebhook(row), { etag: webhookVersion(row) });
    },
  }),
  remove({
    operation: "delete_webhook",
    path: "/webhooks/{id}",
    tag,
    summary: "Stop sending, and forget the deliveries.",
    scopes: writeScopes,
    access: { action: "write", subject: "webhook" },
    params: WebhookParams,
    ifMatch: "optional",
    success: {
      status: 200,
      description: "It is gone.",
      data: deletedSchema(Type.String()),
      example: { id: exampleWebhook.id, deleted: true },
    },
    handler: async ({ caller, tx, params, ifMatch }) => {
      await deleteWebhook(tx, caller.workspaceId, params.id, ifMatch);
      return deleted(params.id);
    },
  }),
  post({
    operation: "rotate_webhook_secret",
    path: "/webhooks/{id}/rotate-secret",
    tag,
    summary: "Give a webhook a new secret.",
    description: "The previous secret keeps signing, by default for a day; older ones stop at once.",
    scopes: writeScopes,
    access: { action: "write", subject: "webhook" },
    params: WebhookParams,
    body: Rotation,
    bodyOptional: true,
    bodyExample: { grace_seconds: 3600 },
    etag: true,
    success: {
      status: 200,
      description: "The webhook, with its new secret.",
      data: WebhookWithSecret,
      example: { ...exampleSecret, previous_secret_expires_at: 1794786400000 },
    },
    handler: async ({ app, caller, tx, params, body }) => {
      const row = await rotateSecret(tx, caller.workspaceId, params.id, body?.grace_seconds ?? 86_400);
      const secret = shownSecret(app.secret, row);
      return ok({ ...representWebhook(row), secret }, { etag: webhookVersion(row) });
    },
  }),
];
