import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { serialiseBody } from "@svc/document/markdown/serialise";
import { readCsv } from "./csv.ts";
import { blocksOfHtml } from "./html-blocks.ts";
import { readHtml } from "./html-tree.ts";

const markdownOf = (html: string): string => serialiseBody(blocksOfHtml(readHtml(html)).blocks).text;

test("IMP13 HTML of other programs becomes the blocks that it says", () => {
  const cases: readonly [string, string][] = [
    ["<h2>A <b>b</b></h2><p>one<br>two <i>x</i></p>", "## A **b**\n\none\\\ntwo *x*\n"],
    ["loose <div>in a box</div> text", "loose\n\nin a box\n\ntext\n"],
    ["<ol start=3><li>a<ul><li>b</ul><li>c</ol>", "3. a\n   - b\n4. c\n"],
    ['<ul class="inline-task-list"><li class="checked">done<li>open</ul>', "- [x] done\n- [ ] open\n"],
    [
      '<div class="confluence-information-macro confluence-information-macro-tip"><p>Hm.</p></div>',
      "> [!TIP]\n> Hm.\n",
    ],
    ['<pre data-syntaxhighlighter-params="brush: java; gutter: false">a &lt; b\n</pre>', "```java\na < b\n```\n"],
    ["<table><tr><th>a</th></tr><tr><td>b</td></tr></table>", "| a |\n| --- |\n| b |\n"],
    ["<p>x<script>alert(1)</script><style>p{}</style></p>", "x\n"],
    ['<p><img src="a.png" alt="A"></p>', "![A](a.png)\n"],
  ];
  for (const [html, markdown] of cases) assert.equal(markdownOf(html), markdown, html);
});

test("IMP13 what Pandoc writes as HTML reads back as the Markdown it was made from", () => {
  const html = readFileSync(join(import.meta.dirname, "../../../../test/support/samples/pandoc-html.txt"), "utf8");
  const text = markdownOf(html);
  for (const part of ["# Field report", "**bold**, *italic*, ~~struck~~ and `code`", "[link](https://example.org/a)"])
    assert.ok(text.includes(part), `${part}\n${text}`);
  for (const part of ["- one\n- two\n  1. inner\n  2. more", "> Quoted words.", "| Ulm | 128928 |", "let answer = 42;"])
    assert.ok(text.includes(part), `${part}\n${text}`);
});

test("IMP14 hostile HTML and CSV cost linear time and are read", () => {
  const deep = `${"<div>".repeat(200_000)}x`;
  assert.equal(markdownOf(deep), "x\n");
  assert.equal(markdownOf(`${"<b>".repeat(100_000)}y`), "**y**\n");
  assert.equal(markdownOf("<ul><li>".repeat(50_000)).length > 0, true);
  assert.ok(markdownOf(`<p>${"&amp;".repeat(300_000)}`).length >= 300_000);
  assert.equal(markdownOf("<"), "\\<\n");
  assert.equal(readCsv('"'.repeat(1_000_001)).length, 1);
});

test("IMP12 CSV has quotes, line ends in cells and short rows", () => {
  assert.deepEqual(readCsv('\uFEFFa,"b ""c"""\r\n"x\ny",\r\n\r\nz'), [["a", 'b "c"'], ["x\ny", ""], ["z"]]);
});
