import { html, type Part } from "../../../shared/html.ts";
import type { Page } from "../../../shared/page.ts";
import { confirm, copyable, field, form, wrong } from "../../../shared/parts.ts";
import { time } from "../../time.ts";

/** The part of the API's webhook that the page shows. */
interface WebhookItem {
  readonly id: string;
  readonly url: string;
  readonly description: string;
  readonly event_types: readonly string[];
  readonly knowledge_base_id: number | null;
  readonly status: "active" | "failing" | "paused" | "disabled";
  readonly disabled_reason: { readonly message: string } | null;
  readonly failing_since: number | null;
  readonly next_attempt_at: number | null;
  readonly created_at: number;
}

interface DeliveryItem {
  readonly id: string;
  readonly event_type: string;
  readonly status: "pending" | "succeeded" | "failed";
  readonly attempts: number;
  readonly response_status: number | null;
  readonly error: { readonly message: string } | null;
  readonly duration_ms: number | null;
  readonly created_at: number;
  readonly next_attempt_at: number | null;
}

/** The typed values, shown again with a complaint. */
export interface WebhookForm {
  readonly url: string;
  readonly description: string;
  /** The id of a knowledge base; empty for all. */
  readonly base: string;
  readonly format: string;
  readonly types: readonly string[];
  readonly wrong?: string | undefined;
}

interface Webhooks {
  readonly formToken: string;
  readonly workspaceName: string;
  readonly webhooks: readonly WebhookItem[];
  readonly types: readonly string[];
  readonly bases: readonly { readonly id: number; readonly name: string }[];
  readonly seesAll: boolean;
  readonly form: WebhookForm;
  readonly now: number;
}

export const webhooksPage = (input: Webhooks): Page => ({
  title: "Webhooks",
  shape: "settings",
  main: html`<h1>Webhooks</h1>
<p class="lead">A webhook notifies a program of changes in <strong><bdi>${input.workspaceName}</bdi></strong> as they happen. See the <a href="/api-docs">API reference</a> for what is sent and how it is signed.</p>
<div class="columns columns-wide-left">
<section class="card" aria-labelledby="webhooks"><h2 id="webhooks">Webhooks of this workspace</h2>
${input.webhooks.length > 0 ? html`<ul class="rows">${input.webhooks.map((webhook) => webhookRow(webhook, input.now))}</ul>` : html`<p class="empty">No webhooks yet.</p>`}
</section>
<section class="card" aria-labelledby="new-webhook"><h2 id="new-webhook">New webhook</h2>
${wrong(input.form.wrong)}
${input.seesAll || input.bases.length > 0 ? form("/webhooks", input.formToken, newWebhookFields(input)) : html`<p class="hint">A webhook needs a knowledge base that you can see, and you see none.</p>`}</section>
</div>`,
});

const webhookRow = (webhook: WebhookItem, now: number): Part => html`<li class="row">
<div class="row-main"><p class="row-title"><a href="/webhooks/${webhook.id}"><bdi>${webhook.url}</bdi></a> <span class="tag">${webhook.status}</span></p>
${webhook.description !== "" && html`<p class="row-facts"><bdi>${webhook.description}</bdi></p>`}
<p class="row-facts">${facts(webhook, now).map((fact) => html`<span>${fact}</span>`)}</p></div></li>`;

const facts = (webhook: WebhookItem, now: number): Part[] =>
  [
    html`Created ${time(webhook.created_at, now)}`,
    webhook.failing_since !== null && html`Failing since ${time(webhook.failing_since, now)}`,
    webhook.next_attempt_at !== null && html`Next attempt ${time(webhook.next_attempt_at, now)}`,
    webhook.disabled_reason?.message,
  ].filter(Boolean);

const FORMATS = [
  ["standard", "JSON for programs (Standard Webhooks)"],
  ["slack", "Slack message"],
  ["teams", "Microsoft Teams message"],
  ["discord", "Discord message"],
] as const;

const newWebhookFields = ({ form: typed, types, bases, seesAll }: Webhooks): Part => [
  field({
    name: "url",
    label: "Address",
    value: typed.url,
    maxLength: 2048,
    autocomplete: "off",
    hint: "Where events are sent, for example https://example.com/hooks/svc.",
  }),
  field({ name: "description", label: "Description", value: typed.description, maxLength: 500, required: false }),
  html`<div class="field"><label for="base">Knowledge base</label><select id="base" name="base">${seesAll && html`<option value="">All knowledge bases</option>`}${bases.map(({ id, name }) => html`<option value="${id}" ${String(id) === typed.base && html`selected`}>${name}</option>`)}</select></div>`,
  html`<div class="field"><label for="format">Format</label><select id="format" name="format">${FORMATS.map(([value, label]) => html`<option value="${value}" ${value === typed.format && html`selected`}>${label}</option>`)}</select></div>`,
  html`<fieldset class="field"><legend>Events</legend>${types.map(
    (type) =>
      html`<label class="tick"><input type="checkbox" name="type" value="${type}" ${typed.types.includes(type) && html`checked`}><code>${type}</code></label>`,
  )}</fieldset>`,
  html`<button class="button button-main">Create webhook</button>`,
];

/** The only page that shows the secret. */
export const webhookSecretPage = (input: { readonly url: string; readonly secret: string }): Page => ({
  title: "Signing secret",
  shape: "settings",
  main: html`<h1>Your signing secret</h1>
<section class="card" aria-labelledby="take">
<h2 id="take"><bdi>${input.url}</bdi></h2>
<p class="banner banner-care">Copy it now and keep it safe: it is not shown again.</p>
${copyable("secret", "Secret", input.secret)}
<p>Requests are signed according to the Standard Webhooks specification: pass the secret to one of its libraries.</p>
<p><a class="button button-main" href="/webhooks">Done</a></p>
</section>`,
});

interface OneWebhook {
  readonly formToken: string;
  readonly webhook: WebhookItem;
  /** The name of its knowledge base, if it is limited to one. */
  readonly baseName: string | undefined;
  readonly hasAllTypes: boolean;
  readonly deliveries: readonly DeliveryItem[];
  readonly now: number;
}

export const webhookPage = (input: OneWebhook): Page => ({
  title: "Webhook",
  shape: "settings",
  main: html`<p><a href="/webhooks">Webhooks</a></p>
<h1><bdi>${input.webhook.url}</bdi></h1>
<p class="row-facts"><span class="tag">${input.webhook.status}</span>${facts(input.webhook, input.now).map((fact) => html`<span>${fact}</span>`)}</p>
${eventsPart(input)}
<section class="card" aria-labelledby="actions"><h2 id="actions">Actions</h2><div class="row">${actions(input)}</div></section>
<section class="card" aria-labelledby="deliveries"><h2 id="deliveries">Latest deliveries</h2>
${input.deliveries.length > 0 ? html`<ul class="rows">${input.deliveries.map((delivery) => deliveryRow(delivery, input))}</ul>` : html`<p class="empty">Nothing has been sent.</p>`}
</section>`,
});

/** Its event types and knowledge base. */
const eventsPart = ({
  webhook,
  baseName,
  hasAllTypes,
}: OneWebhook): Part => html`<section class="card" aria-labelledby="events">
<h2 id="events">Events</h2>
${webhook.description !== "" && html`<p><bdi>${webhook.description}</bdi></p>`}
<p>${hasAllTypes ? "Every event" : webhook.event_types.map((type, at) => html`${at > 0 && ", "}<code>${type}</code>`)} of ${webhook.knowledge_base_id === null ? "all knowledge bases" : html`the knowledge base <a href="/knowledge-bases/${webhook.knowledge_base_id}"><bdi>${baseName ?? webhook.knowledge_base_id}</bdi></a>`}.</p>
</section>`;

function actions({ webhook, formToken }: OneWebhook): Part {
  const button = (action: string, label: string, className = "button") =>
    form(`/webhooks/${webhook.id}/${action}`, formToken, html`<button class="${className}">${label}</button>`);
  const isOn = webhook.status === "active" || webhook.status === "failing";
  return [
    button("test", "Send a test"),
    isOn ? button("pause", "Pause") : button("resume", "Resume"),
    confirm(
      "New secret",
      "The current secret stays valid for a day.",
      button("rotate", "Create a new secret", "button button-main"),
    ),
    confirm(
      "Delete",
      "No more events are sent, and the log is deleted. This cannot be undone.",
      button("delete", "Delete webhook", "button button-danger"),
    ),
  ];
}

/** Due deliveries wait for earlier ones: only the oldest is tried while a receiver fails. */
const nextAttempt = (at: number, now: number): Part => (at > now ? html`next attempt ${time(at, now)}` : "queued");

function deliveryRow(delivery: DeliveryItem, { webhook, formToken, now }: OneWebhook): Part {
  const facts = [
    html`${time(delivery.created_at, now)}`,
    delivery.attempts > 0 && `${delivery.attempts} ${delivery.attempts === 1 ? "attempt" : "attempts"}`,
    delivery.response_status !== null && `answered ${delivery.response_status}`,
    delivery.duration_ms !== null && `${delivery.duration_ms} ms`,
    delivery.error?.message,
    delivery.status === "pending" && delivery.next_attempt_at !== null && nextAttempt(delivery.next_attempt_at, now),
  ].filter(Boolean);
  return html`<li class="row"><div class="row-main"><p class="row-title"><code>${delivery.event_type}</code> <span class="tag">${delivery.status}</span></p>
<p class="row-facts">${facts.map((fact) => html`<span>${fact}</span>`)}</p></div>
${form(
  `/webhooks/${webhook.id}/redeliver`,
  formToken,
  html`<button class="button button-small" name="delivery" value="${delivery.id}">Send again<span class="visually-hidden"> ${delivery.event_type} of ${new Date(delivery.created_at).toISOString()}</span></button>`,
)}</li>`;
}
