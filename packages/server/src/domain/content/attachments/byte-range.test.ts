import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseRange } from "./byte-range.ts";

test("ATT4 a range lies within the file, or is none, or is outside", () => {
  const header = fc.oneof(
    fc.string({ maxLength: 20 }),
    fc.tuple(fc.nat(40), fc.nat(40)).map(([a, b]) => `bytes=${a}-${b}`),
    fc.nat(40).map((a) => `bytes=${a}-`),
    fc.nat(40).map((a) => `bytes=-${a}`),
  );
  fc.assert(
    fc.property(header, fc.nat(30), (text, size) => {
      const range = parseRange(text, size);
      if (range === undefined || range === "outside") return;
      assert.ok(0 <= range.start && range.start <= range.end && range.end < size);
    }),
    { seed: 20261115, numRuns: 3000 },
  );
  assert.equal(parseRange("bytes=0-", 0), "outside");
  assert.equal(parseRange("bytes=-0", 5), "outside");
  assert.deepEqual(parseRange("Bytes = 1 - 2", 5), { start: 1, end: 2 });
});
