import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Budget } from "./budget.ts";
import { TextCache } from "./text-cache.ts";

const MEBIBYTE = 2 ** 20;

test("any text comes back as it was, short or long, from either generation", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "é", "你", "😀", "\ud800", "\0", "\n"), maxLength: 20 });
  const repeated = fc.tuple(text, fc.constantFrom(1, 100, 5000)).map(([some, times]) => some.repeat(times));
  fc.assert(
    fc.property(fc.array(repeated, { maxLength: 30 }), (texts) => {
      const budget = new Budget(2 * MEBIBYTE);
      const cache = new TextCache<number>("texts", { budget });
      texts.forEach((text, i) => {
        cache.put(`k${i}`, text, i);
        for (let j = 0; j <= i; j++) {
          const kept = cache.get(`k${j}`);
          const own = texts[j] ?? "";
          if (kept) assert.deepEqual([kept.text, kept.about], [own, j]);
          else assert.notEqual(j, i);
          if (kept) assert.equal(kept.bytes?.toString(), own.isWellFormed() ? own : undefined);
        }
        assert.ok(budget.used <= budget.bytes);
      });
    }),
    { seed: 3 },
  );
});

test("used entries stay, unused ones are evicted, and the budget is kept", () => {
  const budget = new Budget(4 * MEBIBYTE);
  const cache = new TextCache<number>("texts", { budget });
  for (const length of [1000, 100_000]) {
    for (let i = 0; i < 6000; i++) {
      cache.put(`${length} ${i}`, `${i}`.padEnd(length), i);
      assert.equal(cache.get(`${length} 0`)?.about, 0, "it is asked for all the time");
      assert.ok(budget.used <= budget.bytes);
    }
    assert.ok(cache.get(`${length} 5999`) && !cache.get(`${length} 3000`));
  }
});

test("a new text replaces the old one of its key, and one that is too large is not kept", () => {
  const budget = new Budget(4 * MEBIBYTE);
  const cache = new TextCache<null>("texts", { budget });
  cache.put("large", "x".repeat(MEBIBYTE - 200), null);
  cache.put("too large", "é".repeat(MEBIBYTE), null);
  assert.equal(cache.get("large")?.text.length, MEBIBYTE - 200);
  assert.equal(cache.get("too large"), undefined);
  cache.put("large", "new", null);
  assert.equal(cache.get("large")?.text, "new");
  assert.ok(budget.used < MEBIBYTE, "the large one's bytes are free");
});
