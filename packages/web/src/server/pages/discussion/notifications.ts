import { html, type Part } from "../../../shared/html.ts";
import type { Page } from "../../../shared/page.ts";
import { form, wrong } from "../../../shared/parts.ts";
import { time } from "../../time.ts";

interface NotificationItem {
  readonly id: string;
  /** The event in one sentence. */
  readonly sentence: string;
  readonly excerpt: string;
  readonly href: string;
  readonly isUnread: boolean;
  readonly createdAt: number;
}

interface Notifications {
  readonly formToken: string;
  readonly items: readonly NotificationItem[];
  readonly unreadOnly: boolean;
  readonly next: string | undefined;
  readonly now: number;
}

export const notificationsPage = (input: Notifications): Page => ({
  title: "Notifications",
  styles: ["discussion.css"],
  main: html`<div class="card-head"><h1>Notifications</h1><a class="button button-small" href="/notifications/settings">Settings</a></div>
<nav class="tabs" aria-label="Which notifications"><a href="/notifications" ${!input.unreadOnly && html`aria-current="page"`}>All</a><a href="/notifications?unread=1" ${input.unreadOnly && html`aria-current="page"`}>Unread</a></nav>
<div data-list>${
    input.items.length === 0
      ? html`<section class="card"><p class="empty">${input.unreadOnly ? "You have read everything." : "Nothing yet. Mentions, replies, comments and suggestions appear here."}</p></section>`
      : html`<section class="card" aria-label="Notifications">${input.items.some(({ isUnread }) => isUnread) && markAll(input)}<ul class="rows">${input.items.map((item) => itemRow(item, input))}</ul></section>`
  }</div>
${input.next && html`<p><a class="button" href="${input.next}">More</a></p>`}`,
});

/** Marks everything up to the newest shown one; later ones stay unread. */
const markAll = ({ formToken, items }: Notifications): Part =>
  form(
    "/notifications/read",
    formToken,
    html`<input type="hidden" name="before" value="${Math.max(...items.map(({ createdAt }) => createdAt))}"><button class="button button-small">Mark all as read</button>`,
  );

const itemRow = (item: NotificationItem, { formToken, now }: Notifications): Part =>
  html`<li class="row ${item.isUnread && "row-unread"}"><div class="row-main"><p class="row-title">${item.isUnread && html`<span class="unread-dot"><span class="visually-hidden">Unread: </span></span>`}<a href="/notifications/${item.id}"><bdi>${item.sentence}</bdi></a></p>
${item.excerpt && html`<p class="excerpt"><bdi>${item.excerpt}</bdi></p>`}
<p class="row-facts"><span>${time(item.createdAt, now)}</span></p></div>
${item.isUnread && form("/notifications/read", formToken, html`<input type="hidden" name="id" value="${item.id}"><button class="button button-small" aria-label="Mark as read: ${item.sentence}">Mark as read</button>`)}</li>`;

export interface KindChoice {
  readonly page: boolean;
  readonly email: "off" | "at_once" | "daily";
  readonly webhook: boolean;
}

interface SettingsForm {
  readonly formToken: string;
  readonly kinds: readonly (readonly [reason: string, choice: KindChoice])[];
  readonly webhookUrl: string;
  readonly webhookSecret: string | null;
  readonly hasMail: boolean;
  readonly email: string;
  readonly wrong?: string | undefined;
}

const names: Readonly<Record<string, string>> = {
  mention: "You’re mentioned",
  reply: "A reply in your thread",
  comment: "A comment on a page you wrote or watch",
  suggestion: "A suggestion to review",
  decision: "A decision on your suggestion",
  share: "Access to a knowledge base",
  invitation: "You’re added to a workspace",
  security: "New sign-in, token or connected app",
  watch: "Changes to what you watch",
};

const mails = { at_once: "At once", daily: "Once a day", off: "Never" } as const;

export const notificationSettingsPage = (input: SettingsForm): Page => ({
  title: "Notification settings",
  shape: "settings",
  styles: ["discussion.css"],
  main: html`<h1>Notification settings</h1>
<p class="lead">For this workspace.</p>
${wrong(input.wrong)}
${form(
  "/notifications/settings",
  input.formToken,
  html`<section class="card" aria-label="By kind"><div class="wide" tabindex="0" role="group" aria-label="By kind"><table class="settings-table"><thead><tr><th scope="col">What happens</th><th scope="col">In the app</th>${input.hasMail && html`<th scope="col">By email</th>`}<th scope="col">By webhook</th></tr></thead><tbody>${input.kinds.map((kind) => kindRow(kind, input.hasMail))}</tbody></table></div>
<p class="hint">${input.hasMail ? html`Emails go to ${input.email}.` : "Email is not set up on this server."}</p></section>
<section class="card" aria-labelledby="webhook"><h2 id="webhook">Your webhook</h2><div class="field"><label for="webhook_url">Address</label><input id="webhook_url" name="webhook_url" type="url" value="${input.webhookUrl}" placeholder="https://example.com/hook" maxlength="2000" aria-describedby="webhook-hint"><p class="hint" id="webhook-hint">Your notifications are sent there as signed requests. Leave empty to turn this off.</p></div>
${input.webhookSecret && html`<p>Secret for checking signatures: <code class="secret">${input.webhookSecret}</code></p>`}</section>
<p><button class="button button-main">Save</button></p>`,
)}`,
});

const check = (name: string, isOn: boolean, label: string): Part =>
  html`<input type="checkbox" name="${name}" value="1" aria-label="${label}" ${isOn && html`checked`}>`;

const kindRow = ([reason, choice]: SettingsForm["kinds"][number], hasMail: boolean): Part => {
  const name = names[reason] ?? reason;
  return html`<tr><th scope="row">${name}</th><td>${check(`${reason}.page`, choice.page, `${name}: in the app`)}</td>${
    hasMail &&
    html`<td><select name="${reason}.email" aria-label="${name}: by email">${Object.entries(mails).map(([value, label]) => html`<option value="${value}" ${value === choice.email && html`selected`}>${label}</option>`)}</select></td>`
  }<td>${check(`${reason}.webhook`, choice.webhook, `${name}: by webhook`)}</td></tr>`;
};
