import assert from "node:assert/strict";
import { test } from "node:test";
import { keepTickShape } from "./keep-tick-shape.ts";

test("an entry of Node's queue of ticks can be kept", () => {
  assert.equal(typeof Reflect.get(Object(keepTickShape()), "callback"), "function");
});
