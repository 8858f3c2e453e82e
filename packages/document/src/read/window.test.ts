import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { defined } from "../defined.ts";
import { windowAround, windowFrom } from "./window.ts";

const from: [tokens: number[], start: number, budget: number, wanted: [number, number, number, boolean]][] = [
  [[3, 3, 3], 0, 6, [0, 2, 6, false]],
  [[3, 3, 3], 1, 100, [1, 3, 6, false]],
  [[9, 1], 0, 5, [0, 1, 9, true]],
  [[1, 9, 1], 0, 5, [0, 1, 1, false]],
  [[0, 0, 5], 0, 5, [0, 3, 5, false]],
  [[1], 1, 5, [1, 1, 0, false]],
  [[], 0, 5, [0, 0, 0, false]],
];
for (const [tokens, start, budget, [first, end, used, exceeded]] of from)
  test(`window of [${tokens}] from ${start} under ${budget}`, () =>
    assert.deepEqual(windowFrom(tokens, start, budget), {
      start: first,
      end,
      used_tokens: used,
      budget_exceeded: exceeded,
    }));

const around: [tokens: number[], index: number, budget: number, wanted: [number, number]][] = [
  [[1, 1, 1, 1, 1], 2, 3, [1, 4]],
  [[1, 1, 1, 1, 1], 2, 2, [2, 4]],
  [[1, 1, 1, 1, 1], 0, 3, [0, 3]],
  [[1, 1, 1, 1, 1], 4, 3, [2, 5]],
  [[1, 1, 1, 9, 1], 2, 4, [0, 3]],
  [[9, 9, 9], 1, 4, [1, 2]],
];
for (const [tokens, index, budget, [start, end]] of around)
  test(`window of [${tokens}] around ${index} under ${budget}`, () => {
    const window = windowAround(tokens, index, budget);
    assert.deepEqual([window.start, window.end], [start, end]);
  });

test("walking windows gives every block once; no window exceeds the budget unless it is one block", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(10)), fc.integer({ min: 1, max: 20 }), (tokens, budget) => {
      let at = 0;
      while (at < tokens.length) {
        const window = windowFrom(tokens, at, budget);
        assert.equal(window.start, at);
        assert.ok(window.end > at);
        assert.equal(window.budget_exceeded, window.used_tokens > budget);
        if (window.budget_exceeded) assert.equal(window.end, at + 1);
        at = window.end;
      }
      assert.equal(at, tokens.length);
    }),
    { seed: 61, numRuns: 200 },
  );
});

test("a window around a block holds it, fits, and cannot grow", () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(10), { minLength: 1 }),
      fc.nat(),
      fc.integer({ min: 1, max: 30 }),
      (tokens, n, budget) => {
        const index = n % tokens.length;
        const { start, end, used_tokens, budget_exceeded } = windowAround(tokens, index, budget);
        assert.ok(start <= index && index < end);
        const sum = tokens.slice(start, end).reduce((total, count) => total + count, 0);
        assert.equal(used_tokens, sum);
        assert.equal(budget_exceeded, sum > budget);
        if (start > 0) assert.ok(sum + defined(tokens[start - 1]) > budget);
        if (end < tokens.length) assert.ok(sum + defined(tokens[end]) > budget);
      },
    ),
    { seed: 62, numRuns: 500 },
  );
});
