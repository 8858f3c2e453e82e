import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyIn, webhookFormats } from "./format-message.ts";

const payload = (type: string, title: string): string =>
  JSON.stringify({
    type,
    timestamp: "2026-11-19T08:00:00.000Z",
    data: { document_id: "doc_01K9ZQ4T6N4Y3V7J8W2M5R1XCH", document: { title } },
  });

const HOSTILE = [
  "@everyone <!channel> <@U123> <https://evil.example|click>",
  "[click](https://evil.example) **bold** `code` ||spoiler||",
  "<at>Ada</at> www.evil.example evil.example #general :smile: &lt;b&gt;",
  "a\u202eb\u0000c\nd",
];
/** A mention, a link or a host as a chat program would recognise it. */
const LIVE = /@\w|<[@!#/a-z]|:\/\/|www\.\w|evil\.example|\]\(/i;

for (const format of webhookFormats)
  test(`HOOK25 ${format}: a title can neither mention anybody nor make a link`, () => {
    for (const title of HOSTILE) {
      const text = bodyIn(format, payload("document.created", title), undefined);
      const body = JSON.parse(text);
      if (format === "standard") {
        assert.equal(text, payload("document.created", title));
        continue;
      }
      const shown = {
        slack: body.text,
        teams: body.attachments?.[0].content.body[0].inlines[1]?.text,
        discord: body.content,
      };
      const message: string = shown[format].replaceAll("\\", "\\\u200b");
      assert.doesNotMatch(message, LIVE, format);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: none of these may be sent
      assert.doesNotMatch(message, /[\u0000-\u0009\u000b-\u001f\u202e]/);
      if (format === "slack") assert.equal(body.blocks[0].text.type, "plain_text");
      if (format === "discord") assert.deepEqual(body.allowed_mentions, { parse: [] });
    }
  });

test("HOOK25 messages follow the published forms of Slack, Teams and Discord", () => {
  const base = "https://svc.example";
  const url = "https://svc.example/documents/doc_01K9ZQ4T6N4Y3V7J8W2M5R1XCH";
  const read = (format: "slack" | "teams" | "discord", type = "document.content.updated") =>
    JSON.parse(bodyIn(format, payload(type, "Handbook"), base));
  assert.deepEqual(read("slack"), {
    text: "Changed text of Handbook",
    blocks: [
      { type: "section", text: { type: "plain_text", text: "Changed text of Handbook", emoji: false } },
      { type: "context", elements: [{ type: "mrkdwn", text: `<${url}|Open page>` }] },
    ],
    unfurl_links: false,
    unfurl_media: false,
  });
  const [attachment] = read("teams").attachments;
  assert.equal(attachment.contentType, "application/vnd.microsoft.card.adaptive");
  assert.deepEqual(attachment.content, {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.2",
    body: [
      {
        type: "RichTextBlock",
        inlines: [
          { type: "TextRun", text: "Changed text of " },
          { type: "TextRun", text: "Handbook", weight: "Bolder" },
        ],
      },
    ],
    actions: [{ type: "Action.OpenUrl", title: "Open page", url }],
  });
  assert.deepEqual(read("discord"), {
    content: "Changed text of **Handbook**",
    allowed_mentions: { parse: [] },
    embeds: [{ title: "Open page", url }],
  });
  assert.equal("embeds" in read("discord", "document.deleted"), false);
  for (const format of ["slack", "teams", "discord"] as const) {
    assert.match(bodyIn(format, JSON.stringify({ type: "webhook.test", data: {} }), base), /This webhook works\./);
    assert.ok(bodyIn(format, payload("document.created", "x".repeat(10_000)), base).length < 2000);
  }
});
