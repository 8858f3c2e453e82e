import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { DAY_MS } from "../time.ts";
import { expired, nameOf, timeOf } from "./keep.ts";

const monday = Date.parse("2026-11-16T02:00:00Z");
const daysBack = (count: number) => Array.from({ length: count }, (_, day) => nameOf(monday - day * DAY_MS));

test("OPS8 seven daily and four weekly backups stay, and the newest always does", () => {
  const names = daysBack(40);
  const gone = new Set(expired(names, { daily: 7, weekly: 4 }));
  const kept = names.filter((name) => !gone.has(name)).map((name) => name.slice(4, 14));
  assert.deepEqual(kept, [
    ...["2026-11-16", "2026-11-15", "2026-11-14", "2026-11-13", "2026-11-12", "2026-11-11", "2026-11-10"],
    ...["2026-11-08", "2026-11-01"],
  ]);
  assert.deepEqual(expired(daysBack(3), { daily: 1, weekly: 0 }), daysBack(3).slice(1));
});

test("OPS8 of several backups of a day the last one stays", () => {
  const [early, late] = [nameOf(monday), nameOf(monday + 3_600_000)];
  assert.deepEqual(expired([early, late], { daily: 7, weekly: 4 }), [early]);
});

test("OPS8 other files are never removed, and each day pruned in turn keeps the same backups as pruning at the end", () => {
  assert.deepEqual(expired(["notes.txt", "svc-backup", "svc-2026-13-99T99-99-99Z"], { daily: 1, weekly: 0 }), []);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 0, max: 10 }), (daily, weekly) => {
      const all = daysBack(60).reverse();
      const keep = { daily, weekly };
      let stepwise: string[] = [];
      for (const name of all) {
        const gone = new Set(expired([...stepwise, name], keep));
        stepwise = [...stepwise, name].filter((one) => !gone.has(one));
      }
      const gone = new Set(expired(all, keep));
      assert.deepEqual(
        stepwise,
        all.filter((name) => !gone.has(name)),
      );
      assert.ok(stepwise.includes(all.at(-1) ?? ""));
    }),
  );
});

test("OPS8 a name gives its time", () => {
  assert.equal(timeOf(nameOf(monday)), monday);
});
