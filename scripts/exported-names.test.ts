import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import { unusedExports } from "./exported-names.ts";

test("every export is imported by another file", () => {
  assert.deepEqual(unusedExports(resolve(import.meta.dirname, "..")), []);
});
