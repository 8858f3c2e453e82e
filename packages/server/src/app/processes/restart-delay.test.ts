import assert from "node:assert/strict";
import { test } from "node:test";
import { restartDelay } from "./restart-delay.ts";

test("the delay before replacing a failing worker grows to ten seconds, and resets after it has served", () => {
  const delays: number[] = [];
  for (let failures = 0; delays.length < 9; ) {
    const next = restartDelay(failures, 200);
    delays.push(next.delay);
    failures = next.failures;
  }
  assert.deepEqual(delays, [100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000]);
  assert.deepEqual(restartDelay(9, 60_000), { failures: 1, delay: 100 });
  assert.equal(restartDelay(5000, 0).delay, 10_000);
});
