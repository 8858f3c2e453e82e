import assert from "node:assert/strict";
import { test } from "node:test";
import * as build from "../testing/builders.ts";
import { links } from "./links.ts";
import { characterCount, codePoints, excerpt, plainText } from "./text.ts";

const { doc, p, h, ul, li, id, idFor, a, b, br, text, table, tr, th, td, code, quote } = build;

const texts: [node: Parameters<typeof plainText>[0], text: string][] = [
  [p("a", b("b"), "c"), "abc"],
  [p("a", br, "b"), "a\nb"],
  [p(br, "b", br, "c"), "\nb\nc"],
  [p(), ""],
  [code("x\n  y"), "x\n  y"],
  [ul(li(p("a"), p("b")), li(p("c"))), "a\nb\nc"],
  [table(tr(th(p("x")), th(p("y"))), tr(td(p("1")), td(p("2")))), "x\ty\n1\t2"],
  [doc(h(1, "T"), p("a")), "T\n\na"],
  [p("see ", build.inlineMath("x^2"), build.noteRef("1"), build.inlineImg({ alt: "pic" })), "see x^2[^1]pic"],
  [build.math("a+b"), "a+b"],
  [build.img({ alt: "alt", src: "s" }), "alt"],
  [build.file({ name: "f.pdf" }), "f.pdf"],
  [build.details(true, build.summary("s"), build.detailsContent(p("c"))), "s\nc"],
  [build.hr, ""],
];
for (const [node, wanted] of texts)
  test(`plain text ${JSON.stringify(wanted)}`, () => assert.equal(plainText(node), wanted));

test("characters are code points of text", () => {
  assert.equal(characterCount(doc(p("a😀"), quote(p("é", br, "漢")), build.math("xyz"))), 4);
  assert.equal(codePoints("\ud800\ud83d\ude00\udc00"), 3);
});

test("an excerpt is one line and never cuts a character", () => {
  assert.equal(excerpt("  a\n\t b  "), "a b");
  assert.equal(excerpt("😀".repeat(300), 10), "😀".repeat(10));
  assert.equal(excerpt(`${"a".repeat(199)}😀b`), `${"a".repeat(199)}😀`);
  assert.equal(excerpt(`${" ".repeat(5000)}late`), "late");
  assert.equal(excerpt("two  words ".repeat(99)), "two words ".repeat(20));
});

test("links are found with their blocks, one per link however its text is marked", () => {
  const body = [
    id(
      1,
      p(
        "see ",
        a("u", "one "),
        text("bold", build.link("u"), build.bold),
        text(" two", build.link("u")),
        a("v", "next"),
      ),
    ),
    id(2, quote(id(3, p(a("u", "x"), " gap ", a("u", "y"))), id(4, p(a("u", "z"))))),
    id(5, p(text("a", build.link("w")), { ...br, marks: [build.link("w")] }, text("b", build.link("w")))),
  ];
  assert.deepEqual(
    links(body).map((link) => [link.href, link.anchor_text, link.block_id, link.top_block_id]),
    [
      ["u", "one bold two", idFor(1), idFor(1)],
      ["v", "next", idFor(1), idFor(1)],
      ["u", "x", idFor(3), idFor(2)],
      ["u", "y", idFor(3), idFor(2)],
      ["u", "z", idFor(4), idFor(2)],
      ["w", "a b", idFor(5), idFor(5)],
    ],
  );
});
