import assert from "node:assert/strict";
import { test } from "node:test";
import { tellTimes } from "./test-times.ts";

test("ARCH8 the time of a run is told by area and for the slowest files", () => {
  const told = tellTimes(
    new Map([
      ["packages/server/test/faults/kill.test.ts", 40.4],
      ["packages/server/test/faults/mixed/disk.test.ts", 8],
      ["packages/web/e2e/editor.test.ts", 50],
      ["scripts/audit.test.ts", 1],
    ]),
  );
  assert.deepEqual(told.split("\n").slice(0, 5), [
    "Seconds by area:",
    "     50  web/e2e (1 files)",
    "     48  server/test/faults (2 files)",
    "      1  scripts (1 files)",
    "Slowest files:",
  ]);
});
