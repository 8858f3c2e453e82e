import type { NotificationReason } from "../../../db/schema/tables/discussion.ts";

/** A notification in a mail, with everything that its text needs. */
interface MailItem {
  readonly reason: NotificationReason;
  readonly actorName: string;
  /** Title of the page, or name of the knowledge base or workspace. */
  readonly about: string;
  readonly excerpt: string;
  readonly url: string;
}

const sentences: Readonly<Record<NotificationReason, (name: string, about: string) => string>> = {
  mention: (name, about) => `${name} mentioned you in “${about}”`,
  reply: (name, about) => `${name} replied in “${about}”`,
  comment: (name, about) => `${name} commented on “${about}”`,
  suggestion: (name, about) => `${name} suggested a change to “${about}”`,
  decision: (name, about) => `${name} decided on your suggestion for “${about}”`,
  share: (name, about) => `${name} gave you access to “${about}”`,
  invitation: (name, about) => `${name} added you to “${about}”`,
  security: (_name, about) => `Was this you? New sign-in or change to your account in “${about}”`,
  watch: (name, about) => `${name} changed “${about}”`,
};

/** The event in one sentence, without the full stop. */
export const sentenceOf = (reason: NotificationReason, actorName: string, about: string): string =>
  sentences[reason](actorName, about);

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign);

interface Links {
  readonly settings: string;
  readonly unsubscribe: string;
}

/** Composes the mail about some notifications. */
export function mailAbout(items: readonly MailItem[], links: Links) {
  const [first] = items;
  const subject =
    items.length === 1 && first
      ? sentenceOf(first.reason, first.actorName, first.about)
      : `${items.length} notifications`;
  const ending = "You receive this email because of your notification settings.";
  const text = [
    ...items.map((item) => [sentence(item), ...quoted(item), item.url].join("\n")),
    `-- \n${ending}\nSettings: ${links.settings}\nUnsubscribe: ${links.unsubscribe}`,
  ].join("\n\n");
  const html = [
    ...items.map(itemHtml),
    `<p style="color:#666;font-size:small">${ending} <a href="${escaped(links.settings)}">Settings</a> · <a href="${escaped(links.unsubscribe)}">Unsubscribe</a></p>`,
  ].join("\n");
  return { subject, text, html };
}

const sentence = ({ reason, actorName, about }: MailItem): string => `${sentenceOf(reason, actorName, about)}.`;
const quoted = ({ excerpt }: MailItem): string[] => (excerpt ? [excerpt.replaceAll(/^/gm, "> ")] : []);

const itemHtml = (item: MailItem): string =>
  [
    `<p><a href="${escaped(item.url)}">${escaped(sentenceOf(item.reason, item.actorName, item.about))}</a></p>`,
    ...(item.excerpt ? [`<blockquote>${escaped(item.excerpt).replaceAll("\n", "<br>")}</blockquote>`] : []),
  ].join("\n");
