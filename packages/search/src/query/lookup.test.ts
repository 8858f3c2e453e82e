import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { unpackRuns } from "../segment/document-runs.ts";
import type { SegmentView } from "../segment/segment-view.ts";
import { queryOf } from "../testing/workspace.ts";
import { MAX_PREFIX_PAGES, termPagesNeeded } from "./lookup.ts";

const segment = (firstTerms: readonly string[]): SegmentView => ({
  id: 1,
  stamp: 1,
  base: 1,
  last: 100,
  firstTerms,
  runs: unpackRuns(new Uint8Array(0), 1),
  documents: undefined,
  dead: new Uint32Array(0),
});

function pages(firstTerms: readonly string[], query: string): number[] | string {
  const needed = termPagesNeeded([segment(firstTerms)], queryOf(query));
  return "error" in needed ? needed.error : needed.map((key) => key.number);
}

describe("pages a query needs", () => {
  const directory = ["ab", "cat", "cat", "cat", "dog", "知"];

  it("are those between which the term stands, its split list included", () => {
    assert.deepEqual(pages(directory, "cat"), [0, 1, 2, 3]);
    assert.deepEqual(pages(directory, "cats"), [3]);
    assert.deepEqual(pages(directory, "ab"), [0]);
    assert.deepEqual(pages(directory, "aa"), []);
    assert.deepEqual(pages(directory, "zebra"), [4]);
    assert.deepEqual(pages(directory, "𠮷野"), [5]);
  });

  it("are a range for a prefix, and each only once", () => {
    assert.deepEqual(pages(directory, "c*"), [0, 1, 2, 3]);
    assert.deepEqual(pages(directory, "a*"), [0]);
    assert.deepEqual(pages(directory, "cat -cat ca*"), [0, 1, 2, 3]);
    assert.deepEqual(pages([], "c*"), []);
  });

  it("are bounded over all typed prefixes of a query together", () => {
    const words = Array.from({ length: MAX_PREFIX_PAGES }, (_, i) => `x${String(i).padStart(5, "0")}`);
    assert.equal(pages(words, "x*").length, MAX_PREFIX_PAGES);
    assert.equal(pages(words, "x* x00*"), "prefix_too_broad");
    assert.equal(pages([...words, "xz"], "x*"), "prefix_too_broad");
  });
});
