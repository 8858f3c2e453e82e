import assert from "node:assert/strict";
import { test } from "node:test";
import { cellText } from "@svc/document/sheet/table-source";
import { countingIds } from "@svc/document/testing/builders";
import type { Node } from "@svc/document/types";
import fc from "fast-check";
import { repairTables } from "./repair-tables.ts";
import { TableLayout } from "./table-layout.ts";

/** Cells are written as their text and, after a bar, their creation time. */
const cell = (text: string, at: number, type = "tableCell"): Node => ({
  type,
  attrs: { id: `block_${String(at).padStart(10, "0")}${"0".repeat(16)}` },
  content: [{ type: "paragraph", ...(text !== "" && { content: [{ type: "text", text }] }) }],
});
const table = (...rows: readonly string[]): Node => ({
  type: "table",
  attrs: { id: "table" },
  content: rows.map((row) => ({
    type: "tableRow",
    content: row.split(" ").map((one) => cell(one.replace(/\d+$/, "").replace("_", ""), Number(/\d+$/.exec(one)))),
  })),
});
const spannedCell = (one: Node, attrs: object): Node => ({ ...one, attrs: { ...one.attrs, ...attrs } });
/** The table with one cell made wider or higher. */
const spanned = (node: Node, [y, x, attrs]: readonly [row: number, cell: number, attrs: object]): Node => ({
  ...node,
  content: node.content?.map((row, at) =>
    at === y ? { ...row, content: row.content?.map((one, i) => (i === x ? spannedCell(one, attrs) : one)) } : row,
  ),
});
const spans = ({ content: rows = [] }: Node): unknown[] =>
  rows.flatMap(({ content = [] }) => content.map(({ attrs }) => attrs?.rowspan ?? 1));
const shown = ({ content: rows = [] }: Node): string[] =>
  rows.map(({ content = [] }) => content.map((one) => cellText(one) || "_").join(" "));
const square = (block: Node, before?: Node) => repairTables(block, before, countingIds());

test("LIVE11 a row that was made without knowing of a new column gets its empty cell there", () => {
  const now = table("a1 new5 b1", "c1 _5 d1", "e7 f7", "g1 _5 h1");
  assert.deepEqual(shown(square(now, table("a1 b1"))), ["a new b", "c _ d", "e _ f", "g _ h"]);
  const two = table("_4 a1 b1 _5", "c7 d7");
  assert.deepEqual(shown(square(two)), ["_ a b _", "_ c d _"]);
});

test("LIVE11 a row that was made while a column was deleted loses no text: the others get a cell at their end", () => {
  const long = table("a1 b1", "c1 d1", "e7 f7 g7");
  assert.deepEqual(shown(square(long)), ["a b _", "c d _", "e f g"]);
  assert.deepEqual(shown(square(table("a1 b1", "c1 d1", "e7 f7 _7"))), ["a b", "c d", "e f"]);
  assert.deepEqual(shown(square(table("a1 b1", "e7 f7 _7"))), ["a b _", "e f _"]);
});

test("LIVE11 what is square, or was not square before, stays as it is, also within other blocks", () => {
  const even = table("a1 b1", "c1 d1");
  assert.equal(square(even), even);
  const ragged = table("a1 b1 x1", "c1");
  assert.equal(square(ragged, table("a1 b1 x1", "c1")), ragged);
  const merged = spanned(table("a1", "c1 d1"), [0, 0, { colspan: 2 }]);
  assert.equal(square(merged), merged);
  const short = spanned(table("a1", "c1 d1 e1"), [0, 0, { colspan: 2 }]);
  assert.equal(square(short, short), short);
  const [inner] = square({ type: "callout", content: [ragged] }).content ?? [];
  assert.deepEqual(inner && shown(inner), ["a b x", "c _ _"]);
});

test("LIVE11 a column that somebody adds gets its cell in a row that another makes beside merged cells", () => {
  const wide = spanned(table("a1 new5", "c1 d1 _5", "e7 f7"), [0, 0, { colspan: 2 }]);
  assert.deepEqual(shown(square(wide)), ["a new", "c d _", "e f _"]);
  const inside = spanned(table("a1 _5 b1", "_5 d1", "f7", "g1 _5 h1"), [0, 0, { rowspan: 3 }]);
  assert.deepEqual(shown(square(inside)), ["a _ b", "_ d", "_ f", "g _ h"]);
});

test("LIVE11 merged cells end before a row that was made among them, or after which nothing is left", () => {
  const between = spanned(table("a1 b1", "e7 f7", "d1"), [0, 0, { rowspan: 2 }]);
  const now = square(between);
  assert.deepEqual(shown(now), ["a b", "e f", "_ d"]);
  assert.deepEqual(spans(now), [1, 1, 1, 1, 1, 1]);
  const overlong = square(spanned(table("a1 b1", "c1 d1"), [1, 0, { rowspan: 3 }]));
  assert.deepEqual(spans(overlong), [1, 1, 1, 1]);
  // When two whole rows become one cell, the second row is left empty and removed.
  const rows = square(spanned(table("a1", "c1 d1"), [0, 0, { colspan: 2, rowspan: 2 }]));
  assert.deepEqual(shown(rows), ["a", "c d"]);
  assert.deepEqual(spans(rows), [1, 1, 1]);
});

test("LIVE11 whatever cells are merged, the table ends square and has all its texts", () => {
  const span = fc.integer({ min: 1, max: 4 });
  const cells = fc.array(fc.record({ colspan: span, rowspan: span, at: fc.integer({ min: 1, max: 9 }) }), {
    maxLength: 4,
  });
  fc.assert(
    fc.property(fc.array(cells, { minLength: 1, maxLength: 5 }), (rows) => {
      const content = rows.map((row, y) => ({
        type: "tableRow",
        content: row.map(({ colspan, rowspan, at }, x) => spannedCell(cell(`t${y}${x}`, at), { colspan, rowspan })),
      }));
      const now = square({ type: "table", attrs: { id: "table" }, content });
      assert.ok(new TableLayout(now.content ?? []).isEven);
      const texts = (node: Node) =>
        shown(node)
          .join(" ")
          .split(/[ _]+/)
          .filter((text) => text !== "");
      assert.deepEqual(texts(now), texts({ type: "table", content }));
    }),
  );
});

test("LIVE11 a cell that is put into a row of headers is a header", () => {
  const head: Node = { type: "tableRow", content: [cell("a", 1, "tableHeader")] };
  const { content: rows = [] } = square({ ...table("b1 c1"), content: [head, ...(table("b1 c1").content ?? [])] });
  assert.deepEqual(
    rows.map(({ content = [] }) => content.map(({ type }) => type)),
    [
      ["tableHeader", "tableHeader"],
      ["tableCell", "tableCell"],
    ],
  );
});
