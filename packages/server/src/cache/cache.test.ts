import assert from "node:assert/strict";
import { test } from "node:test";
import { defined } from "@svc/document/defined";
import { Budget, defaultBudget, ENTRY_BYTES } from "./budget.ts";
import { Cache } from "./cache.ts";
import { GroupedCache } from "./grouped-cache.ts";
import { WeakCache } from "./weak-cache.ts";

/** With keys of two characters, an entry of `cost` bytes in all. */
const bytesFor = (cost: number): number => cost - ENTRY_BYTES - 2;
const keyAt = (i: number): string => String.fromCharCode(97 + Math.floor(i / 26), 97 + (i % 26));

test("used entries stay, unused ones are evicted, and the budget is kept", () => {
  const budget = new Budget(10_000);
  const cache = new Cache<number>("some", { budget });
  for (let i = 0; i < 100; i++) {
    cache.put(keyAt(i), i, bytesFor(1000));
    assert.equal(cache.get(keyAt(0)), 0, "it is asked for all the time");
    assert.ok(budget.used <= 10_000, `${budget.used} bytes`);
  }
  const left = Array.from({ length: 100 }, (_, i) => i).filter((i) => cache.get(keyAt(i)) !== undefined);
  assert.ok(left.length <= 10 && left.includes(99) && left.includes(0) && !left.includes(50), String(left));
});

test("a value may take a quarter of the budget and no more; a new one replaces the old one of its key", () => {
  const budget = new Budget(10_000);
  const cache = new Cache<string>("some", { budget });
  cache.put("aa", "a quarter", bytesFor(2500));
  cache.put("bb", "more", bytesFor(2501));
  assert.equal(cache.get("aa"), "a quarter");
  assert.equal(cache.get("bb"), undefined);
  for (let i = 0; i < 9; i++) cache.put("aa", `again ${i}`, bytesFor(1000));
  assert.equal(cache.get("aa"), "again 8");
  assert.equal(budget.used, 1000);
  cache.delete("aa");
  assert.equal(budget.used, 0);
});

test("a busy cache takes the space of an idle one", () => {
  const budget = new Budget(10_000);
  const idle = new Cache<number>("idle", { budget });
  const busy = new GroupedCache<number>("busy", () => 1000 - ENTRY_BYTES, { budget });
  for (let i = 0; i < 4; i++) idle.put(keyAt(i), i, bytesFor(1000));
  for (let i = 0; i < 20; i++) busy.put(i % 3, keyAt(i), i);
  assert.equal(idle.get(keyAt(0)), undefined);
  assert.equal(busy.get(19 % 3, keyAt(19)), 19);
  assert.ok(budget.used <= 10_000);
  const [idleFigures, busyFigures] = budget.figures();
  assert.deepEqual(idleFigures, { name: "idle", bytes: 0, entries: 0, hits: 0, misses: 1, evictions: 4 });
  assert.equal(busyFigures?.bytes, busyFigures && busyFigures.entries * 1000);
  assert.equal(busyFigures && busyFigures.entries + busyFigures.evictions, 20);
});

test("a cache with a share never takes more than it", () => {
  const budget = new Budget(100_000);
  const small = new Cache<number>("small", { budget, share: 1 / 10 });
  const other = new Cache<number>("other", { budget });
  other.put("aa", 1, bytesFor(1000));
  for (let i = 0; i < 500; i++) {
    small.put(keyAt(i), i, bytesFor(1000));
    assert.ok(budget.used <= 11_000, `${budget.used} bytes`);
  }
  assert.equal(other.get("aa"), 1);
});

test("random use never exceeds the budget, and the total equals the sum of the caches", () => {
  const budget = new Budget(50_000);
  const caches = [1, 1 / 2, 1 / 8].map((share) => new Cache<number>(`share ${share}`, { budget, share }));
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed % below;
  };
  for (let i = 0; i < 20_000; i++) {
    const cache = defined(caches[random(3)]);
    const key = keyAt(random(200));
    if (random(3) === 0) cache.get(key);
    else if (random(10) === 0) cache.delete(key);
    else cache.put(key, i, random(4000));
    if (i % 5000 === 4999) budget.resize(20_000 + random(40_000));
    assert.ok(budget.used <= budget.bytes);
    assert.equal(
      budget.figures().reduce((sum, { bytes }) => sum + bytes, 0),
      budget.used,
    );
  }
});

test("a smaller budget evicts at once, down to nothing", () => {
  const budget = new Budget(10_000);
  const cache = new Cache<number>("some", { budget });
  for (let i = 0; i < 9; i++) cache.put(keyAt(i), i, bytesFor(1000));
  budget.resize(6000);
  assert.ok(budget.used > 0 && budget.used <= 6000);
  assert.equal(cache.get(keyAt(8)), 8, "what came last stays longest");
  budget.resize(0);
  assert.equal(budget.used, 0);
  cache.put("aa", 1, 10);
  assert.equal(cache.get("aa"), undefined);
});

test("without a setting the budget is a quarter of the memory for all workers, at most 96 MiB each", () => {
  const mebibyte = 2 ** 20;
  assert.equal(defaultBudget(1, 256 * mebibyte), 64 * mebibyte);
  assert.equal(defaultBudget(4, 1024 * mebibyte), 64 * mebibyte);
  assert.equal(defaultBudget(1, 64 * 1024 * mebibyte), 96 * mebibyte);
});

test("every cache has a unique name, including those whose values live with their objects", () => {
  const budget = new Budget(1000);
  const lengths = new WeakCache<object, number>("lengths", budget);
  const [a, b] = [{}, {}];
  assert.equal(
    lengths.getOrMake(a, () => 1),
    1,
  );
  assert.equal(
    lengths.getOrMake(a, () => 2),
    1,
  );
  assert.equal(lengths.get(b), undefined);
  assert.deepEqual(
    budget.weakFigures().map(({ name, hits, misses }) => ({ name, hits, misses })),
    [{ name: "lengths", hits: 1, misses: 2 }],
  );
  assert.throws(() => new Cache("lengths", { budget }), /Two caches/);
});
