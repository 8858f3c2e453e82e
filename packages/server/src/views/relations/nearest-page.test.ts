import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type FolderPath, fitOf, nearestOf } from "./nearest-page.ts";

const step = fc.constantFrom("a", "b", "c");
const folders: fc.Arbitrary<FolderPath> = fc.array(step, { maxLength: 3 });
const link = fc.array(fc.oneof(step, fc.constant("..")), { maxLength: 3 }).map((steps) => [...steps, "page"].join("/"));

test("WIKI4 the nearest page by an index is the first of those that fit best", () => {
  fc.assert(
    fc.property(fc.array(folders, { minLength: 1, maxLength: 8 }), link, folders, (paths, wanted, from) => {
      const pages = paths.map((one, i) => ({ id: String(i), path: one }));
      const best = Math.max(...paths.map((one) => fitOf(wanted, from, one)));
      const first = pages.find((page) => fitOf(wanted, from, page.path) === best);
      assert.equal(nearestOf(pages)(wanted, from)?.id, first?.id);
    }),
    { seed: 23, numRuns: 2000 },
  );
});
