import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import { unusedExports } from "./exported-names.ts";

test("ARCH9 what a file exports is imported by another one", () => {
  assert.deepEqual(unusedExports(resolve(import.meta.dirname, "..")), []);
});
