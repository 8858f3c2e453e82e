import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";

/** Calls that check a store before it is removed. */
const LOOKS_THROUGH = /\b(makeStore|onEachDatabase|FaultSite\.start|checkLeft|checkParents)\(|new World\(/;

test("every fault test leaves a store that is then checked", () => {
  const files = globSync("packages/server/test/faults/*.test.ts");
  assert.ok(files.length > 20);
  assert.deepEqual(
    files.filter((file) => !LOOKS_THROUGH.test(readFileSync(file, "utf8"))),
    [],
    "make the store with makeStore, a World or a FaultSite, or call checkLeft (test/support/parents.ts)",
  );
});
