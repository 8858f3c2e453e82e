import assert from "node:assert/strict";
import { test } from "node:test";
import { markRules, nodeTypes } from "./nodes.ts";
import { hintOfMark, hintOfNode, hintOfPlace } from "./type-hint.ts";

const nearestNodes: readonly (readonly [string, string])[] = [
  ["bullet_list", "bulletList"],
  ["code-block", "codeBlock"],
  ["tablecell", "tableCell"],
  ["paragrah", "paragraph"],
  ["horizontal_rule", "horizontalRule"],
  ["ul", "bulletList"],
  ["checkList", "taskList"],
  ["h2", "heading"],
  ["img", "image"],
];
for (const [given, meant] of nearestNodes)
  test(`BODY32 ${given} is probably ${meant}`, () => {
    const { nearest, hint } = hintOfNode(given);
    assert.equal(nearest, meant);
    assert.match(hint, /\/api-docs\/nodes\.md/);
    assert.ok(nodeTypes[meant]);
  });

for (const [given, meant] of [
  ["strong", "bold"],
  ["strike_through", "strike"],
  ["em", "italic"],
  ["highligth", "highlight"],
] as const)
  test(`BODY32 the mark ${given} is probably ${meant}, also where it came as a node`, () => {
    assert.equal(hintOfMark(given).nearest, meant);
    assert.match(hintOfNode(given).hint, new RegExp(`^${meant} is a mark`));
    assert.ok(markRules.has(meant));
  });

for (const given of ["wobble", "", "constructor", "__proto__", "x".repeat(1000), 7, null])
  test(`BODY32 nothing is near to ${String(given).slice(0, 20)}: the list of all is named`, () => {
    for (const { nearest, hint } of [hintOfNode(given), hintOfMark(given)]) {
      assert.equal(nearest, undefined);
      assert.match(hint, /^\/api-docs\/nodes\.md lists all/);
    }
  });

test("BODY32 what stands wrong is told with what the place takes, and where it may stand", () => {
  assert.match(hintOfPlace("bulletList", "bulletList"), /^bulletList takes listItem\. /);
  assert.match(hintOfPlace("listItem"), /^listItem stands in bulletList and orderedList\. /);
  assert.match(hintOfPlace("text", "tableCell"), /^tableCell takes blocks\. text stands in a block of text/);
});
