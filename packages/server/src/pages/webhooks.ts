import {
  type DeliveryItem,
  type WebhookForm,
  type WebhookItem,
  webhookPage,
  webhookSecretPage,
  webhooksPage,
} from "@svc/web/pages/webhooks";
import { ApiError } from "../errors.ts";
import { eventTypes } from "../resources/events/schema.ts";
import { get, goTo, type MemberVisit, type Outcome, post, show } from "./visit.ts";

const EMPTY: WebhookForm = { url: "", description: "", types: eventTypes };

type WithSecret = { data: WebhookItem & { secret: string } };

async function showWebhooks(visit: MemberVisit, form = EMPTY, status = 200): Promise<Outcome> {
  const query = { limit: "100" };
  const { data } = await visit.api.call<{ data: WebhookItem[] }>(visit, "GET /webhooks", { query });
  const { formToken, viewer } = visit;
  const workspaceName = viewer.workspace.name;
  return show(
    webhooksPage({ formToken, workspaceName, webhooks: data, types: eventTypes, form, now: Date.now() }),
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
  const body = { url: typed.url, description: typed.description, event_types: typed.types };
  try {
    const { data } = await visit.api.call<WithSecret>(visit, "POST /webhooks", { body });
    return show(webhookSecretPage(data), 201);
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 400 && error.status !== 422)) throw error;
    return showWebhooks(visit, { ...typed, wrong: complaintOf(error, typed) }, 422);
  }
}

function complaintOf(error: ApiError, typed: WebhookForm): string {
  if (error.code === "quota_exceeded") return "This workspace has as many webhooks as it may have.";
  if (typed.types.length === 0) return "Tick at least one kind of event.";
  const issues = (error.details.issues ?? []) as { path: string; message: string }[];
  const message = issues.find(({ path }) => path === "body.url")?.message;
  return message ? `The address ${message}.` : error.message;
}

async function showWebhook(visit: MemberVisit): Promise<Outcome> {
  const params = { id: visit.params.id ?? "" };
  const { data: webhook } = await visit.api.call<{ data: WebhookItem }>(visit, "GET /webhooks/{id}", { params });
  const { data: deliveries } = await visit.api.call<{ data: DeliveryItem[] }>(visit, "GET /webhooks/{id}/deliveries", {
    params,
  });
  return show(webhookPage({ formToken: visit.formToken, webhook, deliveries, now: Date.now() }));
}

/** A form that calls one route and leads back to the webhook. */
const act =
  (name: string, notice: string, body?: unknown) =>
  async (visit: MemberVisit): Promise<Outcome> => {
    const id = visit.params.id ?? "";
    const params = { id, deliveryId: visit.form.get("delivery") ?? "" };
    await visit.api.call(visit, name, { params, ...(body !== undefined && { body }) });
    return goTo(`/webhooks/${encodeURIComponent(id)}`, notice);
  };

async function rotate(visit: MemberVisit): Promise<Outcome> {
  const params = { id: visit.params.id ?? "" };
  const { data } = await visit.api.call<WithSecret>(visit, "POST /webhooks/{id}/rotate-secret", { params });
  return show(webhookSecretPage(data));
}

async function deleteWebhook(visit: MemberVisit): Promise<Outcome> {
  await visit.api.call(visit, "DELETE /webhooks/{id}", { params: { id: visit.params.id ?? "" } });
  return goTo("/webhooks", "webhook-deleted");
}

const REDELIVER = "POST /webhooks/{id}/deliveries/{deliveryId}/redeliver";

export const webhookPages = [
  get("/webhooks", (visit) => showWebhooks(visit)),
  post("/webhooks", makeWebhook),
  get("/webhooks/:id", showWebhook),
  post("/webhooks/:id/test", act("POST /webhooks/{id}/test", "webhook-sent")),
  post("/webhooks/:id/redeliver", act(REDELIVER, "webhook-sent")),
  post("/webhooks/:id/pause", act("PATCH /webhooks/{id}", "webhook-paused", { enabled: false })),
  post("/webhooks/:id/resume", act("PATCH /webhooks/{id}", "webhook-resumed", { enabled: true })),
  post("/webhooks/:id/rotate", rotate),
  post("/webhooks/:id/delete", deleteWebhook),
];
