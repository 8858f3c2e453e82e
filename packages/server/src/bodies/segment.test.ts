import assert from "node:assert/strict";
import { test } from "node:test";
import { defined } from "@svc/document/defined";
import { h, id, p } from "@svc/document/testing/builders";
import { cut, recut } from "./segment.ts";

const blocks = [id(1, h(1, "Title")), id(2, p("some 😀 text")), id(3, p("more"))];

test("a segment that has let its blocks go reads them anew, as they were", () => {
  const [segment] = cut(blocks);
  const { characters, index } = defined(segment);
  defined(segment).release();
  assert.notEqual(defined(segment).blocks[1], blocks[1]);
  assert.deepEqual(defined(segment).blocks, blocks);
  assert.deepEqual(defined(segment).index, index);
  assert.equal(defined(segment).characters, characters);
});

test("a first body and one that was edited into the same content have the same segments", () => {
  const first = recut([], [], blocks);
  const before = [defined(blocks[0]), id(2, p("other")), defined(blocks[2])];
  const edited = recut(recut([], [], before), before, blocks);
  assert.deepEqual(
    edited.map(({ hash, json }) => [hash, json]),
    first.map(({ hash, json }) => [hash, json]),
  );
});
