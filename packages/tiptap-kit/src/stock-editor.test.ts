import assert from "node:assert/strict";
import { test } from "node:test";
import { renderBody } from "@svc/document/html/render";
import { serialiseBody } from "@svc/document/markdown/serialise";
import { keepAllStored } from "@svc/document/schema/keep-stored";
import { doc } from "@svc/document/testing/builders";
import type { Body, Node } from "@svc/document/types";
import { getSchema } from "@tiptap/core";
import { taskChecked } from "./attributes.ts";
import { keepUnknown } from "./keep-unknown.ts";
import { documentKit } from "./kit.ts";
import { bodies } from "./testing/bodies.ts";

const schema = getSchema(documentKit());

/** Opens a body in an editor with the kit and saves it without a change, as the service stores it. */
function stored(body: Body): readonly Node[] {
  const opened = schema.nodeFromJSON(body);
  opened.check();
  const saved: Body = JSON.parse(JSON.stringify({ type: "doc", content: opened.toJSON().content ?? [] }));
  return keepAllStored(keepUnknown(schema, body, saved).content, body.content);
}

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

test("BODY26 the kit reads tasks and formulas from HTML with and without Tiptap's types", () => {
  const tagsOf = (type: string) => (schema.nodes[type]?.spec.parseDOM ?? []).flatMap(({ tag }) => tag ?? []);
  assert.ok(['ul[data-type="taskList"]', "ul.contains-task-list"].every((tag) => tagsOf("taskList").includes(tag)));
  assert.ok(
    ['span[data-type="inline-math"]', 'span[data-type="inlineMath"]'].every((tag) =>
      tagsOf("inlineMath").includes(tag),
    ),
  );
  const element = (attrs: Record<string, string>, box?: Record<string, string>) => ({
    getAttribute: (name: string) => attrs[name] ?? null,
    querySelector: () => (box ? { getAttribute: (name: string) => box[name] ?? null } : null),
  });
  const { parseHTML: isChecked } = taskChecked;
  assert.deepEqual(
    [
      isChecked(element({ "data-checked": "true" })),
      isChecked(element({ "data-checked": "false" }, { checked: "" })),
      isChecked(element({}, { checked: "" })),
      isChecked(element({}, {})),
      isChecked(element({})),
    ],
    [true, false, true, false, false],
  );
});
