import assert from "node:assert/strict";
import { test } from "node:test";
import { backoffMs } from "./state.ts";

const MINUTE_MS = 60_000;

test("HOOK7 waits grow threefold up to an hour, a quarter shorter or longer by chance", () => {
  const middle = Array.from({ length: 9 }, (_, n) => backoffMs(n + 1, 5000, 0.5) / 1000);
  assert.deepEqual(middle, [5, 15, 45, 135, 405, 1215, 3600, 3600, 3600]);
  assert.deepEqual([backoffMs(1, 5000, 0), backoffMs(1, 5000, 1)], [3750, 6250]);
  for (const failures of [1, 8, 30, 5000]) {
    const wait = backoffMs(failures, 5000);
    assert.ok(wait >= 3750 && wait <= 75 * MINUTE_MS, `${wait}`);
  }
});
