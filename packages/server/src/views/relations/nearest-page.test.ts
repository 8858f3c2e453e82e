import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { fitOf, nearestOf, type Place } from "./nearest-page.ts";

const step = fc.constantFrom("a", "b", "c");
const place: fc.Arbitrary<Place> = fc.array(step, { maxLength: 3 });
const path = fc
  .array(fc.oneof(step, fc.constant("..")), { maxLength: 3 })
  .map((folders) => [...folders, "page"].join("/"));

test("WIKI4 the nearest page by an index is the first of those that fit best", () => {
  fc.assert(
    fc.property(fc.array(place, { minLength: 1, maxLength: 8 }), path, place, (places, wanted, from) => {
      const pages = places.map((one, i) => ({ id: String(i), place: one }));
      const best = Math.max(...places.map((one) => fitOf(wanted, from, one)));
      const first = pages.find((page) => fitOf(wanted, from, page.place) === best);
      assert.equal(nearestOf(pages)(wanted, from)?.id, first?.id);
    }),
    { seed: 23, numRuns: 2000 },
  );
});
