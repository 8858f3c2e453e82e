import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { PostingList, withoutDead } from "./posting-list.ts";

const ascending = (most: number, maxLength: number) =>
  fc.uniqueArray(fc.integer({ min: 1, max: most }), { maxLength }).map((numbers) => numbers.sort((a, b) => a - b));

describe("a posting list", () => {
  it("of any length loses the dead and nothing else", () => {
    const lists = fc.oneof(ascending(200, 20), ascending(2000, 400), ascending(1e9, 100));
    fc.assert(
      fc.property(lists, lists, (numbers, dead) => {
        const list = new PostingList(numbers.length);
        for (const number of numbers) list.push(number, number * 2, number % 7);
        const alive = withoutDead(list, Uint32Array.from(dead));
        const expected = numbers.filter((number) => !dead.includes(number));
        assert.deepEqual([...alive.numbers.subarray(0, alive.size)], expected);
        assert.deepEqual(
          [...alive.frequencies.subarray(0, alive.size)],
          expected.map((number) => number % 7),
        );
        assert.equal(alive === list, expected.length === numbers.length);
      }),
    );
  });
});
