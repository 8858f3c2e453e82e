import { ApiError } from "@svc/sdk";
import { type WebhookForm, webhookPage, webhookSecretPage, webhooksPage } from "@svc/web/pages/workspace/webhooks";
import { sharedEventTypes } from "../../resources/events/schema.ts";
import { issueMessage } from "../issue-message.ts";
import { get, goTo, idFrom, type MemberVisit, type Outcome, post, show } from "../visit.ts";

const EMPTY: WebhookForm = { url: "", description: "", types: sharedEventTypes };

async function showWebhooks(visit: MemberVisit, form = EMPTY, status = 200): Promise<Outcome> {
  const { data } = await visit.api.get("/webhooks", { query: { limit: 100 } });
  const { formToken, viewer } = visit;
  return show(
    webhooksPage({
      formToken,
      workspaceName: viewer.workspace.name,
      webhooks: data,
      types: sharedEventTypes,
      // A webhook made here is told of every knowledge base, so only who sees all of them makes one.
      mayMake: viewer.rights?.hidden === undefined,
      form,
      now: Date.now(),
    }),
    status,
  );
}

const typedIn = (form: URLSearchParams): WebhookForm => ({
  url: (form.get("url") ?? "").trim(),
  description: (form.get("description") ?? "").trim(),
  types: form.getAll("type"),
});

async function makeWebhook(visit: MemberVisit): Promise<Outcome> {
  const typed = typedIn(visit.form);
  const body = {
    url: typed.url,
    description: typed.description,
    event_types: sharedEventTypes.filter((type) => typed.types.includes(type)),
  };
  try {
    const { data } = await visit.api.post("/webhooks", { body });
    return show(webhookSecretPage(data), 201);
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 400 && error.status !== 422)) throw error;
    return showWebhooks(visit, { ...typed, wrong: complaintOf(error, typed) }, 422);
  }
}

function complaintOf(error: ApiError, typed: WebhookForm): string {
  if (error.code === "quota_exceeded") return "This workspace has as many webhooks as it may have.";
  if (typed.types.length === 0) return "Tick at least one kind of event.";
  const message = issueMessage(error, "body.url");
  return message ? `The address ${message}.` : error.message;
}

async function showWebhook(visit: MemberVisit): Promise<Outcome> {
  const path = { id: idFrom(visit.params.id, "webhook") };
  const { data: webhook } = await visit.api.get("/webhooks/{id}", { path });
  const { data: deliveries } = await visit.api.get("/webhooks/{id}/deliveries", { path });
  return show(webhookPage({ formToken: visit.formToken, webhook, deliveries, now: Date.now() }));
}

/** A form that calls one route and leads back to the webhook. */
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
