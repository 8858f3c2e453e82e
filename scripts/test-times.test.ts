import assert from "node:assert/strict";
import { test } from "node:test";
import { readLoad, tellLoad, tellTimes } from "./test-times.ts";

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

test("ARCH8 a run tells how busy the processors were", () => {
  const told = tellLoad({ busy: 5_000, idle: 7_000 }, { busy: 95_400, idle: 37_000 });
  assert.equal(told, "Processors: busy for 90 s, 75 % of the time.");
  const before = readLoad();
  for (const end = performance.now() + 100; performance.now() < end; );
  const after = readLoad();
  assert.ok(after.busy > before.busy && after.idle >= before.idle);
});
