import { ApiError } from "@svc/sdk";
import {
  type KindChoice,
  notificationSettingsPage,
  notificationsPage,
} from "@svc/web/server/pages/discussion/notifications";
import { readSettings } from "../../../domain/discussion/notifications/change-settings.ts";
import { pathOf } from "../../../domain/discussion/notifications/deliverable.ts";
import { listPage } from "../../../domain/discussion/notifications/list-page.ts";
import { sentenceOf } from "../../../domain/discussion/notifications/mail-text.ts";
import { notFound } from "../../../errors.ts";
import { findNotification } from "../../../notify/queries.ts";
import { reasons } from "../../../notify/settings.ts";
import { issueMessage } from "../issue-message.ts";
import { get, goTo, HOME, idFrom, type MemberVisit, type Outcome, post, show } from "../visit.ts";

const PAGE = 50;

const personOf = ({ viewer }: MemberVisit) => ({ workspace_id: viewer.workspace.id, user_id: viewer.userId });

async function showNotifications(visit: MemberVisit): Promise<Outcome> {
  const unreadOnly = visit.query.get("unread") === "1";
  const cursor = visit.query.get("cursor");
  const query = { limit: PAGE, unread: unreadOnly, ...(cursor && { cursor }) };
  const { data, page } = (await listPage(visit.app, visit.app.database.read, personOf(visit), query)).envelope;
  const next = new URLSearchParams({ ...(unreadOnly && { unread: "1" }), cursor: page.next_cursor ?? "" });
  return show(
    notificationsPage({
      formToken: visit.formToken,
      unreadOnly,
      items: data.map((item) => ({
        id: item.id,
        sentence: sentenceOf(
          item.reason,
          item.actor.name,
          item.document_title ?? item.knowledge_base_name ?? visit.viewer.workspace.name,
        ),
        excerpt: item.excerpt,
        href: pathOf({ ...item, document_id: item.document_id ?? "" }) ?? HOME,
        isUnread: item.read_at === null,
        createdAt: item.created_at,
      })),
      next: page.next_cursor ? `/notifications?${next}` : undefined,
      now: Date.now(),
    }),
  );
}

/** Marks a notification as read and redirects to its subject. */
async function open(visit: MemberVisit): Promise<Outcome> {
  const id = idFrom(visit.params.id, "notification");
  const row = await findNotification(visit.app.database.read, personOf(visit), id);
  if (!row) throw notFound("notification", id);
  await readOne(visit, id);
  return goTo(pathOf(row) ?? HOME);
}

/** Ignores a notification that is not listed because it was only mailed, or that no longer exists. */
async function readOne({ api }: MemberVisit, id: string): Promise<void> {
  try {
    await api.post("/notifications/read", { body: { ids: [id] } });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
  }
}

async function markRead(visit: MemberVisit): Promise<Outcome> {
  const id = visit.form.get("id");
  const before = Number(visit.form.get("before"));
  if (id) await readOne(visit, idFrom(id, "notification"));
  else await visit.api.post("/notifications/read", { body: { before: Number.isSafeInteger(before) ? before : 0 } });
  return goTo("/notifications");
}

type Kinds = Readonly<Record<string, Partial<KindChoice>>>;

/** The submitted values, shown again with a complaint. */
interface Sent {
  readonly wrong: string;
  readonly url: string;
  readonly kinds: Kinds;
}

async function showSettings(visit: MemberVisit, complaint?: Sent): Promise<Outcome> {
  const data = await readSettings(visit.app, visit.app.database.read, personOf(visit));
  const kinds: Readonly<Record<string, KindChoice>> = data.kinds;
  return show(
    notificationSettingsPage({
      formToken: visit.formToken,
      kinds: reasons.map((reason) => [reason, { ...kinds[reason]!, ...complaint?.kinds[reason] }] as const),
      webhookUrl: complaint?.url ?? data.webhook_url ?? "",
      webhookSecret: data.webhook_secret,
      hasMail: data.mail,
      email: visit.viewer.email,
      wrong: complaint?.wrong,
    }),
    complaint ? 422 : 200,
  );
}

const mailChoice = (text: string | null): { email?: KindChoice["email"] } =>
  text === "off" || text === "at_once" || text === "daily" ? { email: text } : {};

async function saveSettings(visit: MemberVisit): Promise<Outcome> {
  const { form } = visit;
  const kinds = Object.fromEntries(
    reasons.map((reason) => [
      reason,
      {
        page: form.get(`${reason}.page`) === "1",
        webhook: form.get(`${reason}.webhook`) === "1",
        ...mailChoice(form.get(`${reason}.email`)),
      },
    ]),
  );
  const url = form.get("webhook_url")?.trim() ?? "";
  try {
    await visit.api.patch("/notifications/settings", { body: { kinds, webhook_url: url || null } });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 400) throw error;
    const message = issueMessage(error, "body.webhook_url");
    return showSettings(visit, { wrong: message ? `The address ${message}.` : error.message, url, kinds });
  }
  return goTo("/notifications/settings", "notifications-saved");
}

export const notificationPages = [
  get("/notifications", showNotifications),
  get("/notifications/settings", (visit) => showSettings(visit)),
  get("/notifications/:id", open),
  post("/notifications/read", markRead),
  post("/notifications/settings", saveSettings),
];
