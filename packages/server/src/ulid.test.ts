import assert from "node:assert/strict";
import { test } from "node:test";
import { ulid, ulidFactory } from "./ulid.ts";

const at = (times: number[], random: number) => {
  const make = ulidFactory(
    () => times.shift() ?? 0,
    (numbers) => numbers.fill(random),
  );
  return [...times].map(() => make());
};

test("an id is its time and 80 random bits in Crockford's letters", () => {
  // The time of the ULID specification's example.
  assert.deepEqual(at([1469918176385], 0), ["01ARYZ6S410000000000000000"]);
  assert.deepEqual(at([2 ** 48 - 1], 1023), [`7${"Z".repeat(25)}`]);
});

test("ids rise within a millisecond, over a carry, when the clock steps back, and when the bits are used up", () => {
  assert.deepEqual(at([5, 5, 3, 6], 0), [
    `0000000005${"0".repeat(16)}`,
    `0000000005${"0".repeat(15)}1`,
    `0000000005${"0".repeat(15)}2`,
    `0000000006${"0".repeat(16)}`,
  ]);
  assert.deepEqual(at([5, 5], 1023), [`0000000005${"Z".repeat(16)}`, `0000000006${"Z".repeat(16)}`]);
  const many = Array.from({ length: 5000 }, ulid);
  assert.deepEqual(many, [...new Set(many)].sort());
  assert.ok(many.every((id) => /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(id)));
});
