import { ApiError } from "@svc/sdk";
import {
  type WebhookForm,
  webhookPage,
  webhookSecretPage,
  webhooksPage,
} from "@svc/web/server/pages/workspace/webhooks";
import { sharedEventTypes } from "../../../domain/exchange/events/schema.ts";
import { listDeliveries } from "../../../domain/exchange/webhooks/delivery-queries.ts";
import { webhookFormats } from "../../../domain/exchange/webhooks/formats/format-message.ts";
import { requireEditor } from "../../../domain/exchange/webhooks/managers.ts";
import { getWebhook, listWebhooks } from "../../../domain/exchange/webhooks/queries.ts";
import { representDelivery, representWebhook } from "../../../domain/exchange/webhooks/represent.ts";
import { issueMessage } from "../issue-message.ts";
import { listBases } from "../library/browse-queries.ts";
import { get, goTo, holderOf, idFrom, type MemberVisit, type Outcome, post, show } from "../visit.ts";

const MAX_WEBHOOKS = 100;
const MAX_DELIVERIES = 25;

const EMPTY: WebhookForm = { url: "", description: "", base: "", format: "standard", types: sharedEventTypes };

/** The knowledge bases that the person can see. */
const basesOf = async ({ app, viewer }: MemberVisit) =>
  (await listBases(app.database.read, viewer.workspace.id)).map(({ id, name }) => ({ id, name }));

async function showWebhooks(visit: MemberVisit, form = EMPTY, status = 200): Promise<Outcome> {
  requireEditor(holderOf(visit));
  const { app, formToken, viewer } = visit;
  const [webhooks, bases] = await Promise.all([
    listWebhooks(app.database.read, viewer.workspace.id, "", MAX_WEBHOOKS),
    basesOf(visit),
  ]);
  return show(
    webhooksPage({
      formToken,
      workspaceName: viewer.workspace.name,
      webhooks: webhooks.map(representWebhook),
      types: sharedEventTypes,
      bases,
      // A person who cannot see every knowledge base may only add a webhook for a single one.
      seesAll: viewer.rights?.hidden === undefined,
      form,
      now: Date.now(),
    }),
    status,
  );
}

const typedIn = (form: URLSearchParams): WebhookForm => ({
  url: (form.get("url") ?? "").trim(),
  description: (form.get("description") ?? "").trim(),
  base: form.get("base") ?? "",
  format: form.get("format") ?? "standard",
  types: form.getAll("type"),
});

async function makeWebhook(visit: MemberVisit): Promise<Outcome> {
  const typed = typedIn(visit.form);
  const body = {
    url: typed.url,
    description: typed.description,
    ...(typed.base !== "" && { knowledge_base_id: Number(typed.base) }),
    format: webhookFormats.find((format) => format === typed.format) ?? "standard",
    event_types: sharedEventTypes.filter((type) => typed.types.includes(type)),
  };
  try {
    const { data } = await visit.api.post("/webhooks", { body });
    return show(webhookSecretPage(data), 201);
  } catch (error) {
    if (!(error instanceof ApiError) || ![400, 404, 422].includes(error.status)) throw error;
    return showWebhooks(visit, { ...typed, wrong: complaintOf(error, typed) }, 422);
  }
}

function complaintOf(error: ApiError, typed: WebhookForm): string {
  if (error.code === "quota_exceeded") return "This workspace has reached its limit of webhooks.";
  if (typed.types.length === 0) return "Tick at least one kind of event.";
  if (error.code === "not_found") return "That knowledge base is no longer there.";
  const message = issueMessage(error, "body.url");
  return message ? `The address ${message}.` : error.message;
}

async function showWebhook(visit: MemberVisit): Promise<Outcome> {
  requireEditor(holderOf(visit));
  const { read } = visit.app.database;
  const row = await getWebhook(read, visit.viewer.workspace.id, idFrom(visit.params.id, "webhook"));
  const [latest, bases] = await Promise.all([
    listDeliveries(read, row, undefined, undefined, MAX_DELIVERIES),
    basesOf(visit),
  ]);
  const webhook = representWebhook(row);
  const deliveries = latest.map(representDelivery);
  const baseName = bases.find(({ id }) => id === webhook.knowledge_base_id)?.name;
  const hasAllTypes = sharedEventTypes.every((type) => webhook.event_types.includes(type));
  const { formToken } = visit;
  return show(webhookPage({ formToken, webhook, baseName, hasAllTypes, deliveries, now: Date.now() }));
}

/** A form that calls one route and returns to the webhook. */
const act =
  (call: (visit: MemberVisit, id: string) => Promise<unknown>, notice: string) =>
  async (visit: MemberVisit): Promise<Outcome> => {
    const id = idFrom(visit.params.id, "webhook");
    await call(visit, id);
    return goTo(`/webhooks/${encodeURIComponent(id)}`, notice);
  };

const enable = (enabled: boolean) => (visit: MemberVisit, id: string) =>
  visit.api.patch("/webhooks/{id}", { path: { id }, body: { enabled } });

const test = (visit: MemberVisit, id: string) => visit.api.post("/webhooks/{id}/test", { path: { id } });

const redeliver = (visit: MemberVisit, id: string) =>
  visit.api.post("/webhooks/{id}/deliveries/{deliveryId}/redeliver", {
    path: { id, deliveryId: idFrom(visit.form.get("delivery"), "delivery") },
  });

async function rotate(visit: MemberVisit): Promise<Outcome> {
  const path = { id: idFrom(visit.params.id, "webhook") };
  const { data } = await visit.api.post("/webhooks/{id}/rotate-secret", { path });
  return show(webhookSecretPage(data));
}

async function deleteWebhook(visit: MemberVisit): Promise<Outcome> {
  await visit.api.delete("/webhooks/{id}", { path: { id: idFrom(visit.params.id, "webhook") } });
  return goTo("/webhooks", "webhook-deleted");
}

export const webhookPages = [
  get("/webhooks", (visit) => showWebhooks(visit)),
  post("/webhooks", makeWebhook),
  get("/webhooks/:id", showWebhook),
  post("/webhooks/:id/test", act(test, "webhook-sent")),
  post("/webhooks/:id/redeliver", act(redeliver, "webhook-sent")),
  post("/webhooks/:id/pause", act(enable(false), "webhook-paused")),
  post("/webhooks/:id/resume", act(enable(true), "webhook-resumed")),
  post("/webhooks/:id/rotate", rotate),
  post("/webhooks/:id/delete", deleteWebhook),
];
