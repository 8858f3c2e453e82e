import assert from "node:assert/strict";
import { test } from "node:test";
import { math } from "./math.ts";

test("WEB42 formulas are set as MathML, also with macros of their own", () => {
  assert.match(math("\\frac{a}{b}", true) ?? "", /<mfrac/);
  assert.match(math("\\def\\pair#1#2{(#1,#2)}\\pair{x}{y}+\\implies", false) ?? "", /<mi>x<\/mi>/);
});

test("WEB42 a formula whose macros make many tokens is shown as its source", () => {
  const steep = [
    `\\def\\a{${"x".repeat(4000)}}${"\\a".repeat(400)}`,
    `\\def\\a{${"x".repeat(150)}}${"\\a".repeat(400)}`,
    `\\def\\a#1{${"#1".repeat(100)}}\\a{${"x".repeat(1900)}}`,
    `\\def\\a#1{${"#1".repeat(90)}}\\a{\\a{\\a{\\a{x}}}}`,
    "\\def\\a#1{\\b{#1#1}}\\def\\b#1{\\a{#1#1}}\\a{x}",
    `\\newcommand\\a[1]{${"#1".repeat(2000)}}\\a{${"x".repeat(500)}}`,
  ];
  assert.deepEqual(
    steep.map((latex) => math(latex, true)),
    steep.map(() => undefined),
  );
});
