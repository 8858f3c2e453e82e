import assert from "node:assert/strict";
import { test } from "node:test";
import { renderBody } from "@svc/document/html/render";
import { serialiseBody } from "@svc/document/markdown/serialise";
import { keepAllStored } from "@svc/document/schema/keep-stored";
import { code, doc, id, inlineMath, li, math, ol, p, task, tasks, text, ul } from "@svc/document/testing/builders";
import type { Body, Node } from "@svc/document/types";
import { getSchema } from "@tiptap/core";
import { keepUnknown } from "./keep-unknown.ts";
import { documentKit } from "./kit.ts";

const schema = getSchema(documentKit());

/** What an editor with the kit saves that opened a body and did nothing, as the service stores it. */
function stored(body: Body): readonly Node[] {
  const opened = schema.nodeFromJSON(body);
  opened.check();
  const saved: Body = JSON.parse(JSON.stringify({ type: "doc", content: opened.toJSON().content ?? [] }));
  return keepAllStored(keepUnknown(schema, body, saved).content, body.content);
}

const bold = { type: "bold" };
const youtube: Node = { type: "youtube", attrs: { src: "https://www.youtube.com/watch?v=dQw4w9WgXcQ" } };
const emoji: Node = { type: "emoji", attrs: { name: "tada", emoji: "🎉" } };
const mention: Node = { type: "mention", attrs: { kind: "user", id: "user_01K00000000000000000000000", label: "Ada" } };

const bodies: Readonly<Record<string, Body>> = {
  "an empty document": doc(),
  "code with other marks": doc(id(1, p(text("x", bold, { type: "code" }, { type: "link", attrs: { href: "/a" } })))),
  "list items that begin with no paragraph": doc(
    id(1, ul(id(2, li(id(3, code("a")))), id(4, li(id(5, ul(id(6, li(id(7, p("b")))))))))),
  ),
  "tasks and maths": doc(id(1, tasks(id(2, task(true, id(3, p("a", inlineMath("x"))))))), id(4, math("E"))),
  "textAlign and the kind of numbers": doc(
    id(1, { ...p("a"), attrs: { textAlign: "center" } }),
    id(2, { ...ol(3, id(3, li(id(4, p("b"))))), attrs: { start: 3, type: "a" } }),
  ),
  "mention, youtube and emoji": doc(id(1, p("a ", mention, emoji)), id(2, youtube)),
};

for (const [what, body] of Object.entries(bodies))
  test(`BODY26 a stock Tiptap editor opens and saves ${what} without a change`, () => {
    assert.deepEqual(stored(body), body.content);
  });

test("BODY26 HTML tells Tiptap what tasks, maths, numbers and alignment are", () => {
  const html = Object.values(bodies)
    .map(({ content }) => renderBody(content))
    .join("");
  for (const part of [
    '<ul class="task-list" data-type="taskList">',
    '<li class="task-item" data-type="taskItem" data-checked="true">',
    'data-type="inline-math" data-latex="x"',
    'data-type="block-math" data-latex="E"',
    '<ol start="3" type="a">',
    'style="text-align:center"',
  ])
    assert.ok(html.includes(part), `${part}\n${html}`);
});

test("BODY26 mention, youtube and emoji are shown as links or text", () => {
  const { content } = bodies["mention, youtube and emoji"] ?? doc();
  assert.match(serialiseBody(content).text, /^a \[@Ada\]\(svc:\/\/user\/\w+\)🎉\n\n.*watch\?v=dQw4w9WgXcQ/);
  assert.match(renderBody(content), /@Ada.*🎉[\s\S]*<a href="https:\/\/www\.youtube\.com\/watch\?v=dQw4w9WgXcQ"/);
});
