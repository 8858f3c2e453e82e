import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { followStep, missingFrom, writeStep } from "./manifest.ts";

const manifest = fc.array(
  fc.constantFrom(..."abcdefghijklmnopqrst").map((hash) => ({ hash, count: 1 })),
  { maxLength: 30 },
);

test("what a manifest has and another has not, each once, in any lists", () => {
  fc.assert(
    fc.property(manifest, manifest, (a, b) => {
      const inB = new Set(b.map(({ hash }) => hash));
      const wanted = new Set(a.map(({ hash }) => hash)).difference(inB);
      const found = missingFrom(b, a).map(({ hash }) => hash);
      assert.equal(found.length, wanted.size);
      assert.deepEqual(new Set(found), wanted);
    }),
  );
});

test("a step leads from the next manifest back to the one before", () => {
  fc.assert(
    fc.property(manifest, manifest, (a, b) => {
      assert.deepEqual(followStep(writeStep(a, b), b), a);
    }),
  );
});
