import assert from "node:assert/strict";
import { test } from "node:test";
import { processorSeconds } from "./processor-seconds.ts";
import { formatLoad, formatTimes, readLoad } from "./test-times.ts";

test("a run prints its time by area and for the slowest files", () => {
  const printed = formatTimes(
    new Map([
      ["packages/server/test/faults/kill.test.ts", { seconds: 40.4, cpu: 10 }],
      ["packages/server/test/faults/mixed/disk.test.ts", { seconds: 8, cpu: 4 }],
      ["packages/web/e2e/editor.test.ts", { seconds: 30, cpu: 25.2 }],
      ["npm run check", { seconds: 53, cpu: 0 }],
    ]),
  );
  assert.deepEqual(printed.split("\n").slice(0, 6), [
    "  seconds  processor  by area",
    "       30         25  web/e2e (1 files)",
    "       48         14  server/test/faults (2 files)",
    "       53          0  npm run check (1 files)",
    "  seconds  processor  of the slowest files",
    "       30         25  packages/web/e2e/editor.test.ts",
  ]);
});

test("a run prints how busy the processors were", () => {
  const printed = formatLoad({ busy: 5_000, idle: 7_000 }, { busy: 95_400, idle: 37_000 }, 61.2);
  assert.match(printed, /^61 processor seconds in \d+ s; the machine's processors were busy for 75 % of the time\.$/);
  const [before, own] = [readLoad(), processorSeconds()];
  while (processorSeconds() < own + 0.1);
  const after = readLoad();
  assert.ok(after.busy > before.busy && after.idle >= before.idle);
});
