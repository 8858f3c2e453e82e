import assert from "node:assert/strict";
import { test } from "node:test";
import { highlight } from "./highlight.ts";

test("WEB42 code is coloured, but not with words so long that colouring them takes seconds", () => {
  assert.match(highlight("int main() { return 1; }", "c") ?? "", /hljs-keyword/);
  assert.match(highlight(`int ${"a".repeat(900)};`, "c") ?? "", /hljs-type/);
  assert.equal(highlight(`int ${"a".repeat(29_000)};`, "c"), undefined);
});
