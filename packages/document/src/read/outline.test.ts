import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { defined } from "../defined.ts";
import { arbitraryBody } from "../testing/arbitrary-body.ts";
import * as build from "../testing/builders.ts";
import { listHeadings } from "./headings.ts";
import { headingPaths, type OutlineItem, outline } from "./outline.ts";
import { slugOf, slugs, uniqueSlugs } from "./slugs.ts";

const { doc, p, h, id, idFor, quote, b } = build;

const body = doc(
  id(1, p("before")),
  id(2, h(2, "Two")),
  id(3, p("a")),
  id(4, h(4, "Deep")),
  id(5, quote(id(6, h(1, "Quoted")))),
  id(7, h(1, " One", b(" bold "))),
  id(8, h(2, "Two")),
);

const brief = (items: readonly OutlineItem[]): unknown[] =>
  items.map((item) => [
    item.slug,
    item.position,
    item.range.end_block_id,
    item.range.block_count,
    brief(item.children),
  ]);

test("sections nest by level and end before the next of the same or a higher one", () => {
  const items = outline(body);
  assert.deepEqual(brief(items), [
    ["two", 1, idFor(5), 4, [["deep", 3, idFor(5), 2, []]]],
    ["one-bold", 5, idFor(8), 2, [["two-1", 6, idFor(8), 1, []]]],
  ]);
  assert.deepEqual(
    [defined(items[1]).text, defined(items[1]).level, defined(items[1]).block_id],
    ["One bold", 1, idFor(7)],
  );
  assert.equal(defined(items[0]).range.start_block_id, idFor(2));
});

test("slugs are those of the outline, nested headings included", () => {
  assert.deepEqual([...slugs(body).values()], ["two", "deep", "quoted", "one-bold", "two-1"]);
});

const slugCases: [text: string, slug: string][] = [
  ["Hello, World!", "hello-world"],
  ["What's new?", "whats-new"],
  ["  C++ & C#  ", "c-c"],
  ["Été à Paris", "été-à-paris"],
  ["入门 指南", "入门-指南"],
  ["Привет, мир", "привет-мир"],
  ["हिन्दी", "हिन्दी"],
  ["snake_case v1.2", "snake_case-v1-2"],
  ["-->", "section"],
  ["😀", "section"],
  ["", "section"],
  ["a".repeat(500), "a".repeat(80)],
];
for (const [text, slug] of slugCases)
  test(`slug of ${JSON.stringify(text.slice(0, 20))}`, () => assert.equal(slugOf(text), slug));

test("slugs are unique even where a numbered one was there before", () => {
  assert.deepEqual(uniqueSlugs(["a", "a 1", "a", "a", "a-1"]), ["a", "a-1", "a-2", "a-3", "a-1-1"]);
  assert.equal(new Set(uniqueSlugs(Array(50_000).fill("same"))).size, 50_000);
});

test("an outline lists every top-level heading once, in order, and its ranges hold its children", () => {
  fc.assert(
    fc.property(arbitraryBody, (any) => {
      const listed: number[] = [];
      const visit = (items: readonly OutlineItem[], end: number) => {
        for (const item of items) {
          listed.push(item.position);
          const own = item.position + item.range.block_count;
          assert.ok(own <= end);
          visit(item.children, own);
        }
      };
      visit(outline(any), any.content.length);
      const wanted = [...any.content.keys()].filter((i) => defined(any.content[i]).type === "heading");
      assert.deepEqual(listed, wanted);
    }),
    { seed: 51, numRuns: 200 },
  );
});

test("headings of runs put together are those of the whole", () => {
  const parts = [...listHeadings(body.content.slice(0, 3)), ...listHeadings(body.content.slice(3), 3)];
  assert.deepEqual(parts, listHeadings(body.content));
});

test("heading paths go from the outermost heading in", () => {
  assert.deepEqual(headingPaths(listHeadings(body.content), body.content.length), [
    [],
    ["Two"],
    ["Two"],
    ["Two", "Deep"],
    ["Two", "Deep"],
    ["One bold"],
    ["One bold", "Two"],
  ]);
});
