import assert from "node:assert/strict";
import { test } from "node:test";
import { isBounded } from "./bounded.ts";

const nested = (levels: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
};

test("MCP5 arguments with very many members or levels are not looked into", () => {
  assert.equal(isBounded({ a: [1, { b: null }], c: "x" }), true);
  assert.equal(isBounded(Array(19_000).fill({})), true);
  assert.equal(isBounded(Array(1_000_000).fill({})), false);
  assert.equal(isBounded(Array(150).fill(Array(150).fill(1))), false);
  assert.equal(isBounded(nested(90)), true);
  assert.equal(isBounded(nested(100_000)), false);
});
