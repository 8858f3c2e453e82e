import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { defined } from "../defined.ts";
import { normaliseBody } from "../schema/normalise.ts";
import { validateBody } from "../schema/validate.ts";
import { countingIds } from "../testing/builders.ts";
import type { Attrs, Node } from "../types.ts";
import { parseMarkdown } from "./parse.ts";
import { isMarkdownOf, serialiseBlock, serialiseBody } from "./serialise.ts";
import { anyBlocks, node, settled } from "./testing/markdown-bodies.ts";
import { warningsOf } from "./warnings-of.ts";

const text = (value: string, ...marks: { type: string; attrs?: Attrs }[]): Node => ({
  type: "text",
  text: value,
  ...(marks.length > 0 && { marks }),
});
const p = (...content: Node[]): Node => node("paragraph", content);
const cell = (type: string, attrs: Attrs | undefined, ...content: Node[]): Node => node(type, content, attrs);
const row = (...cells: Node[]): Node => node("tableRow", cells);
const head = row(cell("tableHeader", undefined, p(text("a"))), cell("tableHeader", undefined, p(text("b"))));
const td = (value: string, attrs?: Attrs): Node => cell("tableCell", attrs, p(text(value)));

/** A node that Markdown cannot express, its Markdown, and the warning's code. */
const degraded: readonly (readonly [what: string, block: Node, markdown: string, code: string])[] = [
  ["a colour", p(text("x", { type: "textStyle", attrs: { color: "red" } })), "x", "mark_lost"],
  ["a highlight's colour", p(text("x", { type: "highlight", attrs: { color: "red" } })), "<mark>x</mark>", "mark_lost"],
  ["a link's target", p(text("x", { type: "link", attrs: { href: "y", target: "_blank" } })), "[x](y)", "mark_lost"],
  ["text at the start", node("paragraph", [text("x")], { textAlign: "start" }), "x", "attribute_lost"],
  [
    "a side, where there is too much text for HTML",
    node("paragraph", [text("x".repeat(200_000))], { textAlign: "center" }),
    "x".repeat(200_000),
    "attribute_lost",
  ],
  ["a width that is none", node("image", [], { src: "s", width: "wide" }), "![](s)", "attribute_lost"],
  ["an unknown attribute", node("horizontalRule", [], { odd: [1] }), "---", "attribute_lost"],
  [
    "a column's width",
    node("table", [row(cell("tableHeader", { colwidth: [9] }, p()))]),
    "|  |\n| --- |",
    "attribute_lost",
  ],
  [
    "merged columns",
    node("table", [head, row(td("c", { colspan: 2 }))]),
    "| a | b |\n| --- | --- |\n| c |  |",
    "merged_cells",
  ],
  [
    "merged rows",
    node("table", [head, row(td("c", { rowspan: 2 }), td("d")), row(td("e"))]),
    "| a | b |\n| --- | --- |\n| c | d |\n|  | e |",
    "merged_cells",
  ],
  [
    "blocks in a cell",
    node("table", [row(cell("tableHeader", undefined, p(text("a")), node("codeBlock", [text("b|c")])))]),
    "| a<br>`b\\|c` |\n| --- |",
    "block_in_table_cell",
  ],
  ["a table without header", node("table", [row(td("c"))]), "| c |\n| --- |", "table_shape"],
  [
    "rows of different length",
    node("table", [row(defined(defined(head.content)[0])), head]),
    "| a |  |\n| --- | --- |\n| a | b |",
    "table_shape",
  ],
  ["an unknown callout", node("callout", [p(text("x"))], { kind: "odd" }), "> [!NOTE]\n> x", "value_replaced"],
  [
    "a negative start",
    node("orderedList", [node("listItem", [p(text("x"))])], { start: -1 }),
    "1. x",
    "value_replaced",
  ],
  ["white space in a language", node("codeBlock", [], { language: "a b" }), "```a-b\n```", "value_replaced"],
  ["a footnote label", p({ type: "footnoteReference", attrs: { label: "a b" } }), "\\[^a b]", "value_replaced"],
  ["a file without id", node("attachment", [], { name: "f_1" }), "f_1", "reference_unresolved"],
  ["NUL", p(text("a\0b")), "a\uFFFDb", "character_replaced"],
  ["carriage returns in code", node("codeBlock", [text("a\r\nb")]), "```\na\nb\n```", "character_replaced"],
  ["line ends in a formula", p({ type: "inlineMath", attrs: { latex: "a\nb" } }), "$a b$", "value_replaced"],
];

describe("what Markdown cannot say is written as well as can be, with a warning", () => {
  for (const [what, block, markdown, code] of degraded)
    test(what, () => {
      const written = serialiseBlock({ ...block, attrs: { ...block.attrs, id: "block_1" } });
      assert.equal(written.text, markdown);
      assert.ok(written.warnings.length > 0);
      for (const warning of written.warnings) assert.ok(warning.message.length > 0 && warning.node_type.length > 0);
      assert.ok(written.warnings.some((warning) => warning.code === code));
    });

  test("a warning names the nearest block and comes once for the same thing", () => {
    const red = { type: "textStyle", attrs: { color: "red" } };
    const inner = node("paragraph", [text("x", red), text("y"), text("z", red)], { id: "block_2" });
    const { warnings } = serialiseBlock(node("blockquote", [inner], { id: "block_1" }));
    assert.deepEqual(
      warnings.map(({ block_id, node_type, code }) => [block_id, node_type, code]),
      [["block_2", "textStyle", "mark_lost"]],
    );
  });
});

const parameters = { seed: Number(process.env.SEED ?? 13), numRuns: Number(process.env.RUNS ?? 400) };

test("any body is written, and what is read back is stable", () => {
  fc.assert(
    fc.property(anyBlocks, (blocks) => {
      const once = serialiseBody(blocks).text;
      const again = parseMarkdown(once);
      assert.deepEqual(parseMarkdown(serialiseBody(again).text), again, once);
    }),
    parameters,
  );
});

test("a body is its blocks: each is written by itself", () => {
  fc.assert(
    fc.property(anyBlocks, (blocks) => {
      const { text: whole, warnings } = serialiseBody(blocks);
      const parts = blocks.map(serialiseBlock);
      for (const part of parts) assert.ok(whole.includes(part.text));
      assert.ok(parts.flatMap((part) => part.warnings).length >= warnings.length);
    }),
    parameters,
  );
});

test("what is read is valid, and normalising adds nothing but ids and sources", () => {
  fc.assert(
    fc.property(anyBlocks, fc.string({ unit: "binary", maxLength: 40 }), (blocks, more) => {
      const content = parseMarkdown(`${serialiseBody(blocks).text}\n${more}`);
      const body = validateBody({ type: "doc", content }, { maxCharacters: 1e6 });
      const stored = normaliseBody(body, countingIds()).content.map(settled);
      const withoutSource = (block: Node): Node =>
        block.type === "attachment"
          ? settled({ ...block, attrs: { ...block.attrs, src: "" } })
          : { ...block, ...(block.content && { content: block.content.map(withoutSource) }) };
      assert.deepEqual(stored.map(withoutSource), content.map(withoutSource));
    }),
    parameters,
  );
});

test("warnings do not depend on the order in which attributes were sent", () => {
  const sent = (attrs: Attrs, more: Attrs): Node => ({
    type: "paragraph",
    attrs,
    content: [{ type: "text", text: "a", marks: [{ type: "link", attrs: { href: "/b", ...more } }] }],
  });
  const one = serialiseBlock(sent({ x: 1, y: 2 }, { target: "c", rel: "d" }));
  assert.deepEqual(serialiseBlock(sent({ y: 2, x: 1 }, { rel: "d", target: "c" })), one);
  assert.equal(one.warnings.length, 4);
});

test("whether a text is the Markdown of blocks is told as by writing all of it", () => {
  const texts = fc.tuple(anyBlocks, fc.nat(), fc.constantFrom("", "x", "\n"));
  fc.assert(
    fc.property(texts, ([blocks, at, put]) => {
      const { text } = serialiseBody(blocks);
      const other = text.slice(0, at % (text.length + 1)) + put + text.slice(at % (text.length + 1));
      assert.equal(isMarkdownOf(other, blocks), other === text);
      assert.equal(isMarkdownOf(text.slice(0, -1), blocks), text === "");
    }),
    { numRuns: 200 },
  );
});

test("warnings are those of writing, whether a block has to be written for them or not", () => {
  const ids = countingIds();
  fc.assert(
    fc.property(anyBlocks, (blocks) => {
      const { content } = normaliseBody({ type: "doc", content: blocks }, ids);
      assert.deepEqual(warningsOf(content), serialiseBody(content).warnings);
    }),
    { seed: 22, numRuns: 1000 },
  );
  for (const [what, block] of degraded) {
    const { content } = normaliseBody({ type: "doc", content: [block] }, ids);
    assert.deepEqual(warningsOf(content), serialiseBody(content).warnings, what);
  }
});

test("STYLE5 a line break beside a mark is a line break", () => {
  for (const text of [
    "- a **x**\n  c.\n- e\n",
    "**a**\n*b*\n`c`\n[d](e)\n![f](g) h\n",
    "a\n**b** c\n",
    "> **a**\n> [[b]]\n> <u>c</u>\n",
    "a<br>\nb\n",
  ])
    assert.ok(!serialiseBody(parseMarkdown(text)).text.includes("&#"), text);
  const broken = "- a **x**\n  c.\n- e\n";
  assert.equal(serialiseBody(parseMarkdown(broken)).text, broken);
});
