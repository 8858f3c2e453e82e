import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { defined } from "../defined.ts";
import { isRecord } from "../guards.ts";
import { arbitraryBody } from "../testing/arbitrary-body.ts";
import * as build from "../testing/builders.ts";
import { refusal } from "../testing/refusal.ts";
import { asError } from "../thrown.ts";
import { nodeTypes } from "./nodes.ts";
import { validateBody, validateContent, validateNode, validateNodes } from "./validate.ts";

const options = { maxCharacters: 1000 };
const { doc, p, h, ul, li, text, b, table, tr, td, quote, code } = build;

const valid: Record<string, unknown> = {
  "an empty body": doc(),
  "a body without content, as ProseMirror writes it": { type: "doc" },
  "a paragraph with marks": doc(p("a", b("b"))),
  "empty content of a leaf": doc({ type: "horizontalRule", content: [] }),
  "attributes we do not know": doc({ type: "paragraph", attrs: { textAlign: "left", x: { y: [1, null, true] } } }),
  "an id that is null": doc({ type: "paragraph", attrs: { id: null } }),
  "a block that may be empty": doc({ type: "codeBlock" }),
  "a nested table": doc(quote(table(tr(td(p("a")))))),
  "an attribute called __proto__": doc(JSON.parse('{"type":"paragraph","attrs":{"__proto__":{"id":"x"}}}')),
  "an attribute called constructor": doc({ type: "paragraph", attrs: { constructor: { prototype: 1 } } }),
  "a lone surrogate": doc(p("\ud800")),
};
for (const [name, body] of Object.entries(valid))
  test(`validateBody accepts ${name} and leaves it as it is`, () => {
    const before = JSON.stringify(body);
    const answer = validateBody(body, options);
    assert.equal(JSON.stringify(body), before);
    if (isRecord(body) && "content" in body) assert.equal(answer, body);
    else assert.deepEqual(answer, doc());
  });

const bad = (...content: unknown[]): unknown => ({ type: "doc", content });
const invalid: [what: string, body: unknown, path: string][] = [
  ["null", null, "type"],
  ["a list", [], "type"],
  ["another root", { type: "paragraph" }, "type"],
  ["a field of the body we do not know", { type: "doc", attrs: {} }, "attrs"],
  ["content that is no list", { type: "doc", content: {} }, "content"],
  ["a node that is null", bad(null), "content[0]"],
  ["a node that is a list", bad(p("a"), []), "content[1]"],
  ["an unknown node type", bad({ type: "marquee" }), "content[0]"],
  ["a type of the prototype", bad({ type: "constructor" }), "content[0]"],
  ["a type called __proto__", bad({ type: "__proto__" }), "content[0]"],
  ["a node field called __proto__", bad(JSON.parse('{"type":"paragraph","__proto__":{}}')), "content[0]"],
  ["no type", bad({}), "content[0]"],
  ["a list item at the top", bad(li(p("a"))), "content[0]"],
  ["text at the top", bad(text("a")), "content[0]"],
  ["a paragraph in a list", bad(ul(p("a"))), "content[0].content[0]"],
  ["a block in a paragraph", bad({ type: "paragraph", content: [p("a")] }), "content[0].content[0]"],
  ["an empty list", bad({ type: "bulletList", content: [] }), "content[0]"],
  ["an empty cell", bad(table(tr({ type: "tableCell" }))), "content[0].content[0].content[0]"],
  ["text that is null", bad(p({ type: "text", text: null as never })), "content[0].content[0].text"],
  ["text that is missing", bad(p({ type: "text" })), "content[0].content[0].text"],
  ["text on a block", bad({ type: "paragraph", text: "a" }), "content[0].text"],
  ["children of text", bad(p({ type: "text", text: "a", content: [] })), "content[0].content[0].content"],
  ["children of a leaf", bad({ type: "horizontalRule", content: [p("a")] }), "content[0].content[0]"],
  ["an unknown mark", bad(p("a", text("b", build.bold, { type: "blink" }))), "content[0].content[1].marks[1]"],
  ["a mark that is null", bad(p(text("b", null as never))), "content[0].content[0].marks[0]"],
  ["the same mark twice", bad(p(text("b", build.bold, build.bold))), "content[0].content[0].marks[1]"],
  ["marks on a block", bad({ ...p("a"), marks: [build.bold] }), "content[0].marks"],
  ["marks in code", bad({ type: "codeBlock", content: [b("x")] }), "content[0].content[0].marks"],
  ["a level of 7", bad(h(7, "a")), "content[0].attrs.level"],
  ["a level of 0", bad(h(0, "a")), "content[0].attrs.level"],
  ["a level of 1.5", bad(h(1.5, "a")), "content[0].attrs.level"],
  ["a level in a string", bad({ type: "heading", attrs: { level: "1" } }), "content[0].attrs.level"],
  ["no level", bad({ type: "heading" }), "content[0].attrs.level"],
  ["attributes that are a list", bad({ type: "paragraph", attrs: [] }), "content[0].attrs"],
  ["a malformed id", bad({ type: "paragraph", attrs: { id: "x" } }), "content[0].attrs.id"],
  [
    "a lower-case id",
    bad({ type: "paragraph", attrs: { id: "block_01arz3ndektsv4rrffq69g5fav" } }),
    "content[0].attrs.id",
  ],
  ["an id that is a number", bad({ type: "paragraph", attrs: { id: 7 } }), "content[0].attrs.id"],
  [
    "a href that is an object",
    bad(p(text("a", { type: "link", attrs: { href: {} } }))),
    "content[0].content[0].marks[0].attrs.href",
  ],
  ["an infinite number", bad({ type: "paragraph", attrs: { x: JSON.parse("1e999") } }), "content[0].attrs"],
  ["huge attributes", bad({ type: "paragraph", attrs: { x: "a".repeat(300_000) } }), "content[0].attrs"],
];
for (const [what, body, path] of invalid)
  test(`validateBody refuses ${what}`, () => {
    const { code, details } = refusal(() => validateBody(body, options));
    assert.equal(code, "invalid_document");
    assert.equal(details.path, path);
  });

test("a spreadsheet holds tables only, or nothing", () => {
  const sheet = { ...options, documentType: "spreadsheet" as const };
  validateBody(doc(), sheet);
  validateBody(doc(table(tr(td(p("1"), code("2"))))), sheet);
  assert.equal(refusal(() => validateBody(doc(table(tr(td(p("1")))), p("a")), sheet)).details.path, "content[1]");
});

test("size is counted in code points", () => {
  validateBody(doc(p("😀".repeat(1000))), options);
  const { code, details } = refusal(() => validateBody(doc(p("😀".repeat(600)), p("b".repeat(401))), options));
  assert.equal(code, "document_too_large");
  assert.deepEqual(details, { limit: 1000, used: 1001 });
});

test("nodes, a node and content are named by their own paths", () => {
  const broken = [p("a"), ul(li(p({ type: "blink" })))];
  assert.equal(refusal(() => validateNodes(broken, options)).details.path, "nodes[1].content[0].content[0].content[0]");
  assert.equal(refusal(() => validateNode(broken[1], options)).details.path, "node.content[0].content[0].content[0]");
  assert.equal(refusal(() => validateContent([{}], options)).details.path, "content[0]");
  assert.equal(refusal(() => validateNodes([], options)).details.path, "nodes");
  assert.deepEqual(validateContent([], options), []);
});

const nested = (depth: number): unknown =>
  JSON.parse(`${'{"type":"blockquote","content":['.repeat(depth)}{"type":"paragraph"}${"]}".repeat(depth)}`);

test("depth is bounded before the stack is", () => {
  const { code, details } = refusal(() => validateBody(bad(nested(100_000)), options));
  assert.equal(code, "invalid_document");
  assert.match(String(details.path), /^content\[0\](\.content\[0\]){256}$/);
  validateBody(bad(nested(255)), options);
  let attrs: unknown = 1;
  for (let i = 0; i < 100_000; i++) attrs = [attrs];
  assert.equal(
    refusal(() => validateBody(bad({ type: "paragraph", attrs: { attrs } }), options)).details.path,
    "content[0].attrs",
  );
});

test("a million nodes are refused quickly", () => {
  const many = { type: "doc", content: Array.from({ length: 1_000_000 }, () => ({ type: "paragraph" })) };
  const { code, details } = refusal(() => validateBody(many, options));
  assert.equal(code, "document_too_large");
  assert.equal(details.unit, "nodes");
});

test("every body of the schema is valid, and damaging any node is noticed", () => {
  fc.assert(
    fc.property(arbitraryBody, fc.nat(), (body, seed) => {
      assert.equal(validateBody(body, options), body);
      if (body.content.length === 0) return;
      const copy = { ...body, content: body.content.map((node) => ({ ...node })) };
      defined(copy.content[seed % copy.content.length]).type = "nonsense";
      assert.equal(refusal(() => validateBody(copy, options)).details.path, `content[${seed % copy.content.length}]`);
    }),
    { seed: 1, numRuns: 200 },
  );
});

test("anything at all is either valid or refused with a document error", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(...Object.keys(nodeTypes)), (value, type) => {
      const attempts = [value, bad(value), bad({ type, content: value }), bad({ type, attrs: value })];
      for (const attempt of attempts) {
        try {
          validateBody(attempt, options);
        } catch (error) {
          assert.equal(asError(error).name, "DocumentError");
        }
      }
    }),
    { seed: 2, numRuns: 500 },
  );
});
