import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { defined } from "@svc/document/defined";
import fc from "fast-check";
import { type MergeInput, mergeSegments } from "../merge/segment-merge.ts";
import { fromUtf8, utf8 } from "./bytes.ts";
import { joinRuns, packRuns, unpackRuns } from "./document-runs.ts";
import { packNumbers, uniteNumbers, unpackNumbers } from "./packed-numbers.ts";
import { packPages, unpackPages } from "./payload.ts";
import { buildSegment } from "./segment-build.ts";
import { type EncodedPage, PAGE_SIZE, type SegmentHead } from "./segment-format.ts";
import { PageScanner } from "./segment-reader.ts";
import { compareTerms, sortTerms } from "./term-order.ts";
import { TermTable } from "./term-table.ts";

function sorted(terms: readonly string[]): string[] {
  const table = new TermTable();
  for (const term of terms) table.numberOf(term);
  return Array.from(sortTerms(table, table.size), (number) => defined(terms[number]));
}

type EncodedSegment = SegmentHead & { readonly pages: readonly EncodedPage[]; readonly runs: Uint8Array };

function build(base: number, texts: readonly string[]): EncodedSegment {
  const { lengths, pages } = buildSegment(texts.map((text) => ({ field: "content", text })));
  const owners = lengths.filter((length) => length > 0).map((_, i) => ({ number: base + i, document: 1 }));
  const blocks = owners.length;
  return { base, last: base + blocks - 1, blocks, pages, runs: packRuns(owners, base) };
}

const input = (segment: EncodedSegment, dead: readonly number[] = []): MergeInput => ({
  ...segment,
  termPages: segment.pages.filter((page) => page.kind === "terms").length,
  runs: unpackRuns(segment.runs, segment.base),
  dead: Uint32Array.from(dead),
  page: async (kind, number) =>
    defined(segment.pages.find((page) => page.kind === kind && page.number === number)).bytes,
});

async function merge(
  inputs: readonly MergeInput[],
): Promise<{ pages: EncodedPage[]; blocks: number; runs: Uint8Array; steps: number }> {
  const pages: EncodedPage[] = [];
  const merging = mergeSegments(inputs);
  for (let steps = 1; ; steps++) {
    const step = await merging.next();
    if (step.done) return { pages, blocks: step.value.blocks, runs: step.value.runs, steps };
    pages.push(...step.value);
  }
}

const words = fc.array(
  fc
    .array(fc.constantFrom("a", "ab", "abc", "b", "知识", "𠮷野家", "﨑", "zebra", "fooBar"), {
      minLength: 1,
      maxLength: 20,
    })
    .map((list) => list.join(" ")),
  { minLength: 1, maxLength: 30 },
);

describe("segments", () => {
  it("are the same whether built at once or merged from parts", async () => {
    const property = fc.asyncProperty(words, words, words, async (first, second, third) => {
      const parts = [build(1, first), build(1 + first.length, second), build(1 + first.length + second.length, third)];
      const whole = build(1, [...first, ...second, ...third]);
      const merged = await merge(parts.map((part) => input(part)));
      const order = (a: EncodedPage, b: EncodedPage): number => a.kind.localeCompare(b.kind) || a.number - b.number;
      assert.deepEqual(merged.pages.toSorted(order), whole.pages.toSorted(order));
      assert.deepEqual(unpackRuns(merged.runs, 1), unpackRuns(whole.runs, 1));
      assert.equal(merged.blocks, whole.blocks);
    });
    await fc.assert(property, { numRuns: 100, seed: 6 });
  });

  it("keep pages small and terms ascending however long a list or a position list is", () => {
    const texts = [
      "again ".repeat(10_000),
      ...Array.from({ length: 5000 }, (_, i) => `common word${i} ${"x".repeat(200)}`),
    ];
    const segment = build(1, texts);
    const seen: string[] = [];
    for (const page of segment.pages) {
      assert.ok(page.bytes.length <= PAGE_SIZE);
      if (page.kind === "positions") continue;
      const scanner = new PageScanner(page.bytes, 1);
      for (let i = 0; scanner.next(); i++) {
        const term = fromUtf8(scanner.term.subarray(0, scanner.termLength));
        if (i === 0) assert.equal(term, page.firstTerm);
        seen.push(term);
      }
    }
    assert.deepEqual(seen, seen.toSorted(compareTerms));
    assert.equal(new Set(seen).size, 5003);
    assert.ok(segment.pages.some((page) => page.kind === "positions"));
  });

  it("seek to the first term that is not below", () => {
    const terms = ["b", "ba", "bab", "bb", "bba", "c", "知", "𠮷"];
    const [page] = build(1, [terms.join(" ")]).pages;
    const kept = sorted(terms);
    for (const target of ["", "a", ...terms, "baa", "bac", "bc", "bbb", "d", "￮", "𠮸"]) {
      const scanner = new PageScanner(defined(page).bytes, 1);
      const found = scanner.seek(utf8(target)) ? fromUtf8(scanner.term.subarray(0, scanner.termLength)) : undefined;
      assert.equal(
        found,
        kept.find((term) => compareTerms(term, target) >= 0),
        target,
      );
    }
  });

  it("merge in small steps", async () => {
    const parts = Array.from({ length: 8 }, (_, part) =>
      build(
        1 + part * 500,
        Array.from({ length: 500 }, (_, i) => `the quick brown fox ${part * 500 + i} jumps over ${i % 17}`),
      ),
    );
    const { steps, pages } = await merge(parts.map((part) => input(part)));
    assert.ok(steps > pages.length / 4, `${steps} steps for ${pages.length} pages`);
  });

  it("leave nothing of dead blocks", async () => {
    const dead = await merge([input(build(1, ["gone forever", "also gone"]), [1, 2]), input(build(3, ["here"]), [3])]);
    assert.deepEqual([dead.pages, dead.blocks, [...dead.runs]], [[], 0, []]);
    const half = await merge([input(build(1, ["gone both", "kept both"]), [1])]);
    assert.equal(half.blocks, 1);
    assert.ok(!Buffer.concat(half.pages.map((page) => page.bytes)).includes("gone"));
  });

  it("merge to what the living alone would be", async () => {
    await fc.assert(
      fc.asyncProperty(words, fc.array(fc.nat(29)), async (texts, places) => {
        // The first one lives, so that both begin with the same number.
        const isDead = (number: number) => number > 1 && places.includes(number - 1);
        const numbers = texts.map((_, i) => 1 + i);
        const whole = await merge([input(build(1, texts), numbers.filter(isDead))]);
        const living = numbers.filter((number) => !isDead(number));
        const alone = await merge(living.map((number) => input(build(number, [defined(texts[number - 1])]))));
        assert.deepEqual([whole.pages, whole.blocks, whole.runs], [alone.pages, alone.blocks, alone.runs]);
      }),
      { seed: 5 },
    );
  });

  it("pack pages, numbers and document runs", () => {
    const { pages } = build(7, ["some text", "positions ".repeat(2000)]);
    assert.deepEqual(unpackPages(packPages(pages)), pages);
    const numbers = [0, 1, 5, 1000, 4_000_000_000];
    assert.deepEqual([...unpackNumbers(packNumbers(numbers))], numbers);
    assert.deepEqual([...uniteNumbers([[1, 5], [2, 5, 9], []])], [1, 2, 5, 9]);
    const owners = [1, 1, 2, 2, 2, 1].map((document, i) => ({ document, number: 10 + i }));
    const runs = unpackRuns(packRuns(owners, 10), 10);
    assert.deepEqual(
      [[...runs.firsts], [...runs.lasts], [...runs.documents]],
      [
        [10, 12, 15],
        [11, 14, 15],
        [1, 2, 1],
      ],
    );
    const joined = unpackRuns(joinRuns([runs], Uint32Array.from([10, 13, 15])), 10);
    assert.deepEqual(
      [[...joined.firsts], [...joined.lasts], [...joined.documents]],
      [
        [11, 12, 14],
        [11, 12, 14],
        [1, 2, 2],
      ],
    );
  });

  it("order terms by code point, also those that begin alike", () => {
    assert.deepEqual(sorted(["𠮷", "\uffee", "a", "\ue000", "ab"]), ["a", "ab", "\ue000", "\uffee", "𠮷"]);
    const alike = Array.from({ length: 300 }, (_, i) => `internation${["知", "𠮷", "a"][i % 3]}${(i * 7) % 300}`);
    assert.deepEqual(sorted(alike), alike.toSorted(compareTerms));
  });

  it("are the same whatever was built before, however much that was", () => {
    const texts = ["the quick brown fox", "jumps over the lazy dog"];
    const first = build(1, texts);
    build(
      1,
      Array.from({ length: 10 }, (_, part) => Array.from({ length: 5000 }, (_, i) => `w${part}x${i}`).join(" ")),
    );
    assert.deepEqual(build(1, texts), first);
    assert.deepEqual(build(1, texts), first);
  });
});
