import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { blockIds, listBlocks } from "../blocks/find.ts";
import { defined } from "../defined.ts";
import { plainText } from "../read/text.ts";
import { arbitraryBlock, arbitraryBody, freeze } from "../testing/arbitrary-body.ts";
import * as build from "../testing/builders.ts";
import { refusal } from "../testing/refusal.ts";
import { normaliseBody, normaliseNodes } from "./normalise.ts";
import { validateBody } from "./validate.ts";

const { doc, p, id, text, b, idFor, countingIds } = build;

test("every block gets an id, inline nodes none", () => {
  const body = normaliseBody(doc(build.ul(build.li(p("a", build.br)))), countingIds());
  assert.deepEqual(body, doc(id(1, build.ul(id(2, build.li(id(3, p("a", build.br))))))));
});

test("ids that were sent are kept, and null counts as none", () => {
  const body = doc(id(7, p("a")), { type: "paragraph", attrs: { id: null, x: 1 } });
  assert.deepEqual(defined(normaliseBody(body, countingIds()).content[1]).attrs, { id: idFor(1), x: 1 });
});

test("a duplicate id is refused, at the top or nested, also one that others have", () => {
  const twice = doc(id(1, p("a")), build.quote(id(1, p("b"))));
  const { code, details } = refusal(() => normaliseBody(twice, countingIds(9)));
  assert.equal(code, "duplicate_block_id");
  assert.equal(details.block_id, idFor(1));
  assert.equal(refusal(() => normaliseNodes([id(1, p())], countingIds(9), () => true)).code, "duplicate_block_id");
});

test("src follows the attachment", () => {
  const src = "/api/v1/attachments/att_1";
  for (const type of ["image", "attachment"]) {
    const [node] = normaliseNodes([{ type, attrs: { attachmentId: "att_1", src: "x" } }], countingIds());
    assert.equal(defined(defined(node).attrs).src, src);
  }
  const body = normaliseBody(doc(p(build.inlineImg({ attachmentId: "att_1" }))), countingIds());
  assert.deepEqual(defined(defined(defined(body.content[0]).content)[0]).attrs, { attachmentId: "att_1", src });
  const [own] = normaliseNodes([build.img({ attachmentId: null, src: "https://a.example/b.png" })], countingIds());
  assert.equal(defined(defined(own).attrs).src, "https://a.example/b.png");
  const [odd] = normaliseNodes([build.img({ attachmentId: "../\ud800?" })], countingIds());
  assert.equal(defined(defined(odd).attrs).src, "/api/v1/attachments/..%2F%EF%BF%BD%3F");
});

test("adjacent text with equal marks is joined, empty text is dropped", () => {
  const cases: [given: build.Inline[], wanted: build.Inline[]][] = [
    [["a", "b", "c"], ["abc"]],
    [["a", b(""), "b"], ["ab"]],
    [
      ["a", b("b"), b("c")],
      ["a", b("bc")],
    ],
    [["a", { type: "text", text: "b", marks: [] }], ["ab"]],
    [
      ["a", build.br, "b"],
      ["a", build.br, "b"],
    ],
    [
      [text("a", build.link("x")), text("b", build.link("y"))],
      [text("a", build.link("x")), text("b", build.link("y"))],
    ],
    [
      [text("a", build.bold, build.italic), text("b", build.italic, build.bold)],
      [text("a", build.bold, build.italic), text("b", build.italic, build.bold)],
    ],
    [[""], []],
  ];
  for (const [given, wanted] of cases)
    assert.deepEqual(normaliseBody(doc(p(...given)), countingIds()), doc(id(1, p(...wanted))));
});

test("very many adjacent texts are joined without trouble", () => {
  const many = { type: "paragraph", content: Array.from({ length: 300_000 }, () => text("ab")) };
  assert.equal(
    defined(defined(defined(defined(normaliseBody(doc(many), countingIds()).content[0]).content)[0]).text).length,
    600_000,
  );
});

test("a normalised body comes back itself; text, validity and the input are untouched", () => {
  fc.assert(
    fc.property(fc.array(arbitraryBlock, { maxLength: 5 }), (blocks) => {
      const raw = freeze(doc(...blocks));
      const body = normaliseBody(raw, countingIds());
      validateBody(body, { maxCharacters: 1e6 });
      assert.equal(normaliseBody(body, countingIds()), body);
      assert.equal(plainText(body), plainText(raw));
      assert.equal(blockIds(body.content).size, listBlocks(body, { recursive: true }).length);
    }),
    { seed: 3, numRuns: 200 },
  );
});

test("only what changes is copied", () => {
  fc.assert(
    fc.property(arbitraryBody, (body) => {
      const mixed = doc(...body.content, p("new"));
      const normal = normaliseBody(mixed, countingIds(100_000));
      body.content.forEach((block, i) => {
        assert.equal(normal.content[i], block);
      });
    }),
    { seed: 4, numRuns: 50 },
  );
});
