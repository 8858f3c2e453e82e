import assert from "node:assert/strict";
import { test } from "node:test";
import { costlyShape } from "./json-shape.ts";

const shapeOf = (text: string) => costlyShape(Buffer.from(text));
const MEGABYTE = 1_000_000;

test("HOST15 many small values and deep nesting are seen, whatever stands in texts", () => {
  assert.match(shapeOf(`[${"[],".repeat(MEGABYTE)}[]]`) ?? "", /objects and lists/);
  assert.match(shapeOf(`[${"{},".repeat(MEGABYTE)}{}]`) ?? "", /objects and lists/);
  assert.match(shapeOf(`{${'"":0,'.repeat(MEGABYTE)}"":0}`) ?? "", /members/);
  assert.match(shapeOf("[".repeat(50_001)) ?? "", /deeper/);
  assert.equal(shapeOf(`${"[".repeat(1000)}${"]".repeat(1000)}`), undefined);
  for (const text of ["[],{}:".repeat(MEGABYTE), '\\"[[[{{'.repeat(MEGABYTE), "\\\\", '\\\\\\"[['])
    assert.equal(shapeOf(`{"a":"${text}","b":[]}`), undefined);
  assert.match(shapeOf(`["\\\\",${"[],".repeat(MEGABYTE)}`) ?? "", /objects and lists/);
});

test("HOST15 bodies of documents pass, the most finely divided too", () => {
  const line = '{"type":"paragraph","content":[{"type":"text","text":"a"}]},';
  const marked = '{"type":"text","marks":[{"type":"bold"},{"type":"italic"}],"text":"a"},';
  const empty = '{"type":"image","attrs":{},"content":[]},';
  for (const node of [line, marked, empty])
    assert.equal(shapeOf(`{"content":[${node.repeat(MEGABYTE / 20)}{}]}`), undefined, node);
});
