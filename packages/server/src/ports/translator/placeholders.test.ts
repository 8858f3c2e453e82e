import assert from "node:assert/strict";
import { test } from "node:test";
import { defined } from "@svc/document/defined";
import type { Mark, Node } from "@svc/document/types";
import fc from "fast-check";
import { toMarkedText } from "./placeholders.ts";
import { restore } from "./restore-placeholders.ts";

const bold: Mark = { type: "bold" };
const italic: Mark = { type: "italic" };
const code: Mark = { type: "code" };
const link: Mark = { type: "link", attrs: { href: "https://example.org/", title: null } };
const text = (value: string, ...marks: Mark[]): Node =>
  marks.length === 0 ? { type: "text", text: value } : { type: "text", marks, text: value };
const hardBreak: Node = { type: "hardBreak" };
const linkedImage: Node = { type: "inlineImage", attrs: { src: "x.png" }, marks: [link] };

const written: [string, Node[], string][] = [
  ["plain text", [text("Hello")], "Hello"],
  ["one mark", [text("a "), text("b", bold), text(" c")], "a ⟦1⟧b⟦/1⟧ c"],
  ["the longer mark outside", [text("a", bold, link), text("b", link)], "⟦1⟧⟦2⟧a⟦/2⟧b⟦/1⟧"],
  [
    "one link round several marks",
    [text("see ", link), text("this", link, bold), text(" now", link)],
    "⟦1⟧see ⟦2⟧this⟦/2⟧ now⟦/1⟧",
  ],
  ["crossing marks", [text("a", bold), text("b", bold, italic), text("c", italic)], "⟦1⟧a⟦2⟧b⟦/2⟧⟦/1⟧⟦3⟧c⟦/3⟧"],
  ["code is kept back", [text("run "), text("rm -rf", code), text(" now")], "run ⟦1⟧ now"],
  ["code inside a link stays in it", [text("run ", link), text("x", link, code), text("!", link)], "⟦1⟧run ⟦2⟧!⟦/1⟧"],
  ["a break", [text("a"), hardBreak, text("b")], "a⟦1⟧b"],
  ["a linked image alone", [linkedImage], "⟦1⟧"],
  ["brackets that are text", [text("a⟦1⟧b", bold)], "⟦1⟧a⟦2⟧1⟦3⟧b⟦/1⟧"],
  ["nothing", [], ""],
];

for (const [name, nodes, expected] of written) {
  test(`writes ${name}`, () => {
    const marked = toMarkedText(nodes);
    assert.equal(marked.text, expected);
    assert.deepEqual(restore(marked.text, marked.plan), { nodes });
  });
}

const anyMark = fc.constantFrom<Mark>(
  bold,
  italic,
  code,
  link,
  { type: "link", attrs: { href: "#b" } },
  { type: "textStyle", attrs: { color: "red" } },
);
const anyMarks = fc.array(anyMark, { maxLength: 4 });
const anyText = fc.oneof(
  fc.string({ minLength: 1, maxLength: 6, unit: "binary" }),
  fc.constantFrom("⟦", "⟧", "⟦1⟧", "⟦/1⟧", " ", "word"),
);
const withMarks = (node: Node, marks: readonly Mark[]): Node => (marks.length === 0 ? node : { ...node, marks });
const anyNode = fc.oneof(
  fc.tuple(anyText, anyMarks).map(([value, marks]) => withMarks({ type: "text", text: value }, marks)),
  fc
    .tuple(fc.constantFrom<Node>(hardBreak, { type: "inlineMath", attrs: { latex: "x" } }), anyMarks)
    .map(([node, marks]) => withMarks(node, marks)),
);

const areJoined = (left: Node | undefined, right: Node): boolean =>
  left?.type === "text" && right.type === "text" && JSON.stringify(left.marks) === JSON.stringify(right.marks);
const anyLine = fc
  .array(anyNode, { maxLength: 12 })
  .map((nodes) => nodes.filter((node, index) => !areJoined(nodes[index - 1], node)));
/** Filtering may bring equals together once more. */
const isNormal = (nodes: readonly Node[]): boolean => nodes.every((node, index) => !areJoined(nodes[index - 1], node));
const line = anyLine.filter(isNormal);
const settings = { seed: 20261115, numRuns: 1000 };

test("an unchanged text restores exactly the same nodes", () => {
  fc.assert(
    fc.property(line, (nodes) => {
      const marked = toMarkedText(nodes);
      assert.deepEqual(restore(marked.text, marked.plan), { nodes });
    }),
    settings,
  );
});

const markers = (value: string) =>
  [...value.matchAll(/⟦\/?\d+⟧/g)].map((match) => ({ at: match.index, marker: match[0] }));

test("a marker dropped, doubled or invented is always detected", () => {
  fc.assert(
    fc.property(line, fc.nat(), (nodes, pick) => {
      const marked = toMarkedText(nodes);
      const found = markers(marked.text);
      assert.ok("error" in restore(`${marked.text}⟦99⟧`, marked.plan));
      if (found.length === 0) return;
      const { at, marker } = defined(found[pick % found.length]);
      const before = marked.text.slice(0, at);
      const after = marked.text.slice(at + marker.length);
      assert.ok("error" in restore(before + after, marked.plan));
      assert.ok("error" in restore(before + marker + marker + after, marked.plan));
      assert.ok("error" in restore(before + marker.slice(1) + after, marked.plan));
    }),
    settings,
  );
});

test("whatever order the markers come in, a text is refused or every mark and atom is there once", () => {
  fc.assert(
    fc.property(line, fc.infiniteStream(fc.nat()), (nodes, picks) => {
      const marked = toMarkedText(nodes);
      const parts = marked.text.split(/(⟦\/?\d+⟧)/);
      const shuffled = parts.map((part) => ({ part, rank: picks.next().value })).sort((a, b) => a.rank - b.rank);
      const result = restore(shuffled.map(({ part }) => part).join(""), marked.plan);
      if ("error" in result) return;
      const kinds = (all: readonly Node[]) =>
        all.flatMap((node) => (node.type === "text" ? [] : [JSON.stringify(node)])).sort();
      assert.deepEqual(kinds(result.nodes), kinds(nodes));
    }),
    settings,
  );
});

const refused: [string, string, string][] = [
  ["crossing pairs", "⟦1⟧a⟦2⟧b⟦/1⟧c⟦/2⟧", "nesting"],
  ["a pair moved out of its parent", "⟦1⟧a⟦/1⟧⟦2⟧b⟦/2⟧⟦3⟧", "nesting"],
  ["an empty pair", "⟦1⟧a⟦2⟧⟦/2⟧⟦/1⟧⟦3⟧", "empty"],
  ["a lost atom", "⟦1⟧a⟦2⟧b⟦/2⟧⟦/1⟧", "missing"],
  ["a pair closed twice", "⟦1⟧a⟦2⟧b⟦/2⟧⟦/1⟧⟦3⟧⟦/1⟧", "nesting"],
  ["half a marker", "⟦1⟧a⟦2⟧b⟦/2⟧⟦/1⟧⟦3", "malformed"],
  ["an unknown number", "⟦1⟧a⟦2⟧b⟦/2⟧⟦/1⟧⟦3⟧⟦4⟧", "unknown"],
];

const sample = toMarkedText([text("a", link), text("b", link, bold), hardBreak]);

for (const [name, reply, error] of refused) {
  test(`refuses ${name}`, () => {
    const result = restore(reply, sample.plan);
    assert.equal("error" in result && result.error, error);
  });
}

test("siblings may change places, and spaces inside a marker are forgiven", () => {
  assert.equal(sample.text, "⟦1⟧a⟦2⟧b⟦/2⟧⟦/1⟧⟦3⟧");
  assert.deepEqual(restore("⟦3⟧x ⟦ 1 ⟧⟦2⟧B⟦/2⟧ y⟦/ 1⟧", sample.plan), {
    nodes: [hardBreak, text("x "), text("B", link, bold), text(" y", link)],
  });
});

test("a line of many marks is written and restored in linear time", () => {
  const nodes = Array.from({ length: 20_000 }, (_, index) =>
    text(`w${index} `, ...(index % 2 ? [bold, link] : [link])),
  );
  const marked = toMarkedText(nodes);
  assert.deepEqual(restore(marked.text, marked.plan), { nodes });
});
