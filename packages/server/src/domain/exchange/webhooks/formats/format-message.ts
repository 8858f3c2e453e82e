import { isRecord } from "@svc/document/guards";
import { plainMarkdown, plainWords } from "./plain-words.ts";

export const webhookFormats = ["standard", "slack", "teams", "discord"] as const;
type WebhookFormat = (typeof webhookFormats)[number];

/** A message: a sentence around a title, and the address of the page. */
interface Notice {
  readonly before: string;
  readonly title: string | undefined;
  readonly after: string;
  readonly url: string | undefined;
}

const SENTENCES: Readonly<Record<string, readonly [before: string, after: string]>> = {
  "document.created": ["New page: ", ""],
  "document.metadata.updated": ["Changed settings of ", ""],
  "document.content.updated": ["Changed text of ", ""],
  "document.deleted": ["Deleted: ", ""],
  "comment.created": ["New comment on ", ""],
  "comment.updated": ["Changed comment on ", ""],
  "comment.resolved": ["Resolved comment on ", ""],
  "comment.deleted": ["Deleted comment on ", ""],
  "suggestion.created": ["New suggestion for ", ""],
  "suggestion.decided": ["Decided suggestion for ", ""],
};

/** `baseUrl`: where the service is reached; without one there is no link. */
function noticeOf(payload: string, baseUrl: string | undefined): Notice {
  const { type, data }: { type: string; data: Record<string, unknown> } = JSON.parse(payload);
  const document = isRecord(data.document) ? data.document : undefined;
  const [before, after] = SENTENCES[type] ?? [];
  if (before === undefined || typeof document?.title !== "string") {
    const text =
      type === "webhook.test"
        ? "This webhook works."
        : "Some changes were missed, because this webhook was away for too long.";
    return { before: text, title: undefined, after: "", url: undefined };
  }
  const isGone = type === "document.deleted" || typeof data.document_id !== "string";
  const url = isGone || baseUrl === undefined ? undefined : `${baseUrl}/documents/${data.document_id}`;
  return { before, title: document.title, after: after ?? "", url };
}

const OPEN = "Open page";

/** An incoming webhook of Slack: plain text in a block, and the same as the text of its notification. */
function slackBody({ before, title, after, url }: Notice): unknown {
  const text = `${before}${title === undefined ? "" : plainWords(title)}${after}`;
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const link = url && { type: "context", elements: [{ type: "mrkdwn", text: `<${url}|${OPEN}>` }] };
  return {
    text: escaped,
    blocks: [{ type: "section", text: { type: "plain_text", text, emoji: false } }, ...(link ? [link] : [])],
    unfurl_links: false,
    unfurl_media: false,
  };
}

/** A workflow of Teams that waits for a webhook: an Adaptive Card whose text is not Markdown. */
function teamsBody({ before, title, after, url }: Notice): unknown {
  const inlines = [
    { type: "TextRun", text: before },
    ...(title === undefined ? [] : [{ type: "TextRun", text: plainWords(title), weight: "Bolder" }]),
    ...(after === "" ? [] : [{ type: "TextRun", text: after }]),
  ];
  const card = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.2",
    body: [{ type: "RichTextBlock", inlines }],
    ...(url && { actions: [{ type: "Action.OpenUrl", title: OPEN, url }] }),
  };
  return {
    type: "message",
    attachments: [{ contentType: "application/vnd.microsoft.card.adaptive", contentUrl: null, content: card }],
  };
}

function discordBody({ before, title, after, url }: Notice): unknown {
  const text = `${before}${title === undefined ? "" : `**${plainMarkdown(title)}**`}${after}`;
  return {
    content: text.slice(0, 2000),
    allowed_mentions: { parse: [] },
    ...(url && { embeds: [{ title: OPEN, url }] }),
  };
}

/** The body that is sent for a stored message. */
export function bodyIn(format: WebhookFormat, payload: string, baseUrl: string | undefined): string {
  if (format === "standard") return payload;
  const write = { slack: slackBody, teams: teamsBody, discord: discordBody }[format];
  return JSON.stringify(write(noticeOf(payload, baseUrl)));
}
