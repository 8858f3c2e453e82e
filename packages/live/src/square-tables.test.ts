import assert from "node:assert/strict";
import { test } from "node:test";
import { cellText } from "@svc/document/sheet/table-source";
import { countingIds } from "@svc/document/testing/builders";
import type { Node } from "@svc/document/types";
import { squareTables } from "./square-tables.ts";

/** Cells are written as their text and, behind a stroke, when they were made. */
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
const shown = ({ content: rows = [] }: Node): string[] =>
  rows.map(({ content = [] }) => content.map((one) => cellText(one) || "_").join(" "));
const square = (block: Node, before?: Node) => squareTables(block, before, countingIds());

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

test("LIVE11 what is square, was not square before or has merged cells stays as it is, also within other blocks", () => {
  const even = table("a1 b1", "c1 d1");
  assert.equal(square(even), even);
  const ragged = table("a1 b1", "c1");
  assert.equal(square(ragged, table("a1 b1 x1", "c1")), ragged);
  const wide: Node = { ...cell("wide", 1), attrs: { colspan: 2 } };
  const merged: Node = { ...even, content: [...(even.content ?? []), { type: "tableRow", content: [wide] }] };
  assert.equal(square(merged), merged);
  const [inner] = square({ type: "callout", content: [ragged] }).content ?? [];
  assert.deepEqual(inner && shown(inner), ["a b", "c _"]);
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
