import assert from "node:assert/strict";
import { test } from "node:test";
import { costlyShape, MAX_FIELD_SEQUENCES } from "./json-shape.ts";

const shapeOf = (text: string) => costlyShape(Buffer.from(text), MAX_FIELD_SEQUENCES);
const MEGABYTE = 1_000_000;

test("HOST15 many small values and deep nesting are seen, whatever stands in texts", () => {
  assert.match(shapeOf(`[${"[],".repeat(MEGABYTE)}[]]`) ?? "", /objects and lists/);
  assert.match(shapeOf(`[${"{},".repeat(MEGABYTE)}{}]`) ?? "", /objects and lists/);
  assert.match(costlyShape(Buffer.from(`{${'"":0,'.repeat(MEGABYTE)}"":0}`)) ?? "", /members/);
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

test("HOST15 many different fields are refused, in one object and in many, and as keys of data they pass", () => {
  const field = (i: number) => `"field${i}":1`;
  const one = `{${Array.from({ length: 100_000 }, (_, i) => field(i)).join()}}`;
  assert.match(shapeOf(one) ?? "", /different fields/);
  assert.equal(costlyShape(Buffer.from(one)), undefined);
  const many = Array.from({ length: 50_000 }, (_, i) => `{${field(i)},${field(i + 1)}}`).join();
  assert.match(shapeOf(`[${many}]`) ?? "", /different fields/);
  const orders = Array.from({ length: 40_000 }, (_, i) => `{${field(i % 200)},${field((i / 200) | 0)},"x":1}`).join();
  assert.match(shapeOf(`[${orders}]`) ?? "", /different fields/);
  const alike = Array.from({ length: 100_000 }, (_, i) => `{${field(i % 100)},"same":{"type":"x"}}`).join();
  assert.equal(shapeOf(`[${alike}]`), undefined);
  assert.equal(
    shapeOf(`[${`"a":${"}".repeat(9)}`.repeat(20_000)}`),
    undefined,
    "what is not JSON is left to the parser",
  );
});
