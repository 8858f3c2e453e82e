import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { defined } from "@svc/document/defined";
import fc from "fast-check";
import { lengthCode } from "../segment/segment-format.ts";
import type { Matches } from "./matches.ts";
import { topPage } from "./result-page.ts";
import { Scorer } from "./scores.ts";
import { compareKeys } from "./top-hits.ts";

type Block = { readonly length: number; readonly tf: number; readonly title: boolean };
const block: fc.Arbitrary<Block> = fc.record({
  length: fc.integer({ min: 1, max: 12 }),
  tf: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 0, max: 90 })),
  title: fc.boolean(),
});

/** Long lists of few different lengths and frequencies, so that many scores are equal. */
const lists = fc.array(fc.array(block, { minLength: 1, maxLength: 900, size: "max" }), { minLength: 1, maxLength: 3 });

const matchesOf = (some: readonly Block[], segment: number): Matches => ({
  size: some.length,
  numbers: Uint32Array.from(some, (_, i) => segment * 2000 + 2 * i),
  codes: Uint32Array.from(some, ({ length, title }) => lengthCode(length, title ? "title" : "content")),
  frequencies: [Uint32Array.from(some, ({ tf }) => tf)],
});

const statistics = { n: 5000, totalLength: 30_000, df: [1234] };

describe("page of the best hits", () => {
  it("is what sorting all of them gives, page after page", () => {
    fc.assert(
      fc.property(lists, fc.integer({ min: 1, max: 20 }), (made, limit) => {
        const segments = made.map(matchesOf);
        const scorer = new Scorer(statistics);
        const all = segments.flatMap((matches, segment) =>
          defined(made[segment]).map(({ title }, i) => {
            return { pinned: false, score: scorer.scoreAt(matches, i), title, number: defined(matches.numbers[i]) };
          }),
        );
        const sorted = all.toSorted(compareKeys).map(({ number }) => number);
        const pageAfter = (last?: (typeof all)[number]) => topPage(segments, statistics, limit, last, new Set());
        for (let page = pageAfter(), from = 0; from < 4 * limit; from += limit) {
          assert.deepEqual(
            page.hits.map(({ number }) => number),
            sorted.slice(from, from + limit),
          );
          if (!page.more) break;
          page = pageAfter(page.hits.at(-1));
        }
      }),
    );
  });
});
