import assert from "node:assert/strict";
import { test } from "node:test";
import { median, percentile, slopeOf } from "./statistics.ts";

test("BENCH5 the median is the middle, or the mean of the two in the middle", () => {
  assert.equal(median([9, 1, 5]), 5);
  assert.equal(median([4, 1, 2, 9]), 3);
});

test("BENCH5 99 of 100 values are at most the percentile", () => {
  const hundred = Array.from({ length: 100 }, (_, i) => 100 - i);
  assert.equal(percentile(hundred, 0.99), 99);
  assert.equal(percentile([...hundred, 1000], 0.99), 100);
  assert.equal(percentile([7], 0.99), 7);
});

test("BENCH3 the slope is the exponent of the growth", () => {
  const curve = (growth: (x: number) => number) => [10, 100, 1000].map((x) => ({ x, y: growth(x) }));
  const near = (actual: number, expected: number) => assert.ok(Math.abs(actual - expected) < 1e-9, `${actual}`);
  near(slopeOf(curve(() => 7)), 0);
  near(slopeOf(curve((x) => 3 * x)), 1);
  near(slopeOf(curve((x) => x * x)), 2);
});
