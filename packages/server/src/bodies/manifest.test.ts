import assert from "node:assert/strict";
import { test } from "node:test";
import { defined } from "@svc/document/defined";
import fc from "fast-check";
import { compare, followStep, type Manifest, manifestOf, missingFrom, writeManifest, writeStep } from "./manifest.ts";

const manifest = fc.array(
  fc.constantFrom(..."abcdefghijklmnopqrst").map((hash) => ({ hash, count: 1 })),
  { maxLength: 30 },
);

test("what a manifest has and another has not, each once, in any lists", () => {
  fc.assert(
    fc.property(manifest, manifest, (a, b) => {
      const inB = new Set(b.map(({ hash }) => hash));
      const wanted = new Set(a.map(({ hash }) => hash)).difference(inB);
      const found = missingFrom(b, compare(a, b).before).map(({ hash }) => hash);
      assert.equal(found.length, wanted.size);
      assert.deepEqual(new Set(found), wanted);
    }),
  );
});

test("a step leads from one manifest to another, and one back", () => {
  fc.assert(
    fc.property(manifest, manifest, (a, b) => {
      const difference = compare(a, b);
      assert.deepEqual(followStep(writeStep(difference, difference.before), b), a);
      assert.deepEqual(followStep(writeStep(difference, difference.after), a), b);
    }),
  );
});

test("a row's steps lead from the manifest that was written to the current one", () => {
  fc.assert(
    fc.property(manifest, fc.array(manifest, { maxLength: 5 }), (first, others) => {
      const states: Manifest[] = [first, ...others];
      const steps = others.map(
        (next, i) => `${writeStep(compare(defined(states[i]), next), compare(defined(states[i]), next).after)};`,
      );
      assert.deepEqual(manifestOf({ manifest: writeManifest(first), steps: steps.join("") }), states.at(-1));
    }),
  );
});
