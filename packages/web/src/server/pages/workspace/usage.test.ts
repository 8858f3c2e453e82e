import assert from "node:assert/strict";
import { test } from "node:test";
import { bytes } from "./usage.ts";

test("WEB24 sizes are told in powers of a thousand, with a decimal while it says something", () => {
  const sizes = [0, 999, 1500, 52_428_800, 10_737_418_240, 123_456_789];
  assert.deepEqual(sizes.map(bytes), ["0 bytes", "999 bytes", "1.5 kB", "52.4 MB", "10.7 GB", "123 MB"]);
});
