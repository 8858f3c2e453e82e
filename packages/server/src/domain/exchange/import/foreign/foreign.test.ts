import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { serialiseBody } from "@svc/document/markdown/serialise";
import { readCsv } from "./csv.ts";
import { blocksOfHtml } from "./html-blocks.ts";
import { readHtml } from "./html-tree.ts";
import { markFormulas, showFormulas } from "./word-formulas.ts";
import { arrange, markLayout, showLayout, signlessLists } from "./word-layout.ts";

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

test("IMP16 tasks, formulas, numbers and alignment of HTML are read, whoever wrote it", () => {
  const tiptap = (attrs: string, more: string) =>
    `<ul${attrs}><li${more} data-checked="true"><label><input type="checkbox" checked><span></span></label><div><p>done</p></div></li><li data-checked="false"><label><input type="checkbox"></label><div><p>open</p></div></li></ul>`;
  const tex =
    '<math display="block"><semantics><mi>E</mi><annotation encoding="application/x-tex">E</annotation></semantics></math>';
  const cases: readonly [string, string][] = [
    [tiptap(' data-type="taskList"', ' data-type="taskItem"'), "- [x] done\n- [ ] open\n"],
    [tiptap("", ""), "- [x] done\n- [ ] open\n"],
    ['<ul data-type="taskList"><li data-checked="true"><p>done</p></li></ul>', "- [x] done\n"],
    ['<ul class="contains-task-list"><li><input type="checkbox" checked disabled> done</li></ul>', "- [x] done\n"],
    ['<p>a <span data-type="inline-math" data-latex="x^2"></span></p>', "a $x^2$\n"],
    ['<div data-type="block-math" data-latex="E"></div>', "$$\nE\n$$\n"],
    ['<p>a <span class="math inline">\\(x^2\\)</span></p>', "a $x^2$\n"],
    ['<p><span class="math display">\\[E\\]</span></p>', "$$\nE\n$$\n"],
    [`<p>${tex}</p>`, "$$\nE\n$$\n"],
    [`<p>so ${tex.replace(' display="block"', "")}</p>`, "so $E$\n"],
    [
      `<p>so <span class="katex"><span class="katex-mathml">${tex}</span><span class="katex-html">E</span></span></p>`,
      "so $E$\n",
    ],
    ['<p style="text-align:center">c</p>', '<p align="center">c</p>\n'],
  ];
  for (const [html, markdown] of cases) assert.equal(markdownOf(html), markdown, html);
  const { blocks } = blocksOfHtml(readHtml('<ol type="a" start="3"><li>x</li></ol>'));
  assert.deepEqual(blocks[0]?.attrs, { start: 3, type: "a" });
});

test("IMP13 what Pandoc writes as HTML reads back as the Markdown it was made from", () => {
  const html = readFileSync(join(import.meta.dirname, "../../../../../test/support/samples/pandoc-html.txt"), "utf8");
  const text = markdownOf(html);
  for (const part of ["# Field report", "**bold**, *italic*, ~~struck~~ and `code`", "[link](https://example.org/a)"])
    assert.ok(text.includes(part), `${part}\n${text}`);
  for (const part of ["- one\n- two\n  1. inner\n  2. more", "> Quoted words.", "| Ulm | 128928 |", "let answer = 42;"])
    assert.ok(text.includes(part), `${part}\n${text}`);
});

test("IMP16 what Pandoc writes as HTML keeps formulas, captions, languages of code and footnotes", () => {
  const samples = join(import.meta.dirname, "../../../../../test/support/samples");
  for (const name of ["pandoc-survey-mathjax.txt", "pandoc-survey-mathml.txt"]) {
    const text = markdownOf(readFileSync(join(samples, name), "utf8"));
    for (const part of ["Inline $a^2+b^2$ and", "$$\nE = mc^2\n$$", "Caption here\n\n| Left | Right |\n| --- | ---: |"])
      assert.ok(text.includes(part), `${part}\n${text}`);
    for (const part of ["```python\ndef f(x):", "- [x] done", "line two.[^1]", "[^1]: A *note* with `code`."])
      assert.ok(text.includes(part), `${part}\n${text}`);
  }
});

test("IMP16 formulas of Word are read as TeX, and hostile ones in linear time", () => {
  const tex = (xml: string) =>
    /data-latex="([^"]*)"/.exec(showFormulas(markFormulas(`<m:oMath>${xml}</m:oMath>`).replace(/<[^<>]*>/g, "")))?.[1];
  const run = (text: string) => `<m:r><m:rPr><m:sty m:val="p"/></m:rPr><m:t>${text}</m:t></m:r>`;
  const inner = (name: string, text: string) => `<m:${name}>${run(text)}</m:${name}>`;
  assert.equal(tex(`<m:f>${inner("num", "a_1")}${inner("den", "b")}</m:f>`), "\\frac{a\\_1}{b}");
  assert.equal(tex(`<m:rad><m:deg/>${inner("e", "x")}</m:rad>`), "\\sqrt{x}");
  assert.equal(
    tex(`<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val=""/></m:dPr>${inner("e", "x")}</m:d>`),
    "\\left[ x \\right.",
  );
  const nary = '<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr>';
  assert.equal(tex(`${nary}${inner("sub", "i")}${inner("sup", "n")}${inner("e", "i")}</m:nary>`), "∑_{i}^{n} i");
  for (const unit of ["<m:oMath>", "<m:oMathPara", "<m:oMath><m:f>", "<m:oMath/>"]) markFormulas(unit.repeat(100_000));
});

test("IMP16 paragraphs of Word that go on in an item stand in it, and its list goes on", () => {
  const signless = signlessLists(
    '<w:abstractNum w:abstractNumId="9"><w:lvl><w:lvlText w:val=" " /></w:lvl></w:abstractNum><w:abstractNum w:abstractNumId="8"><w:lvl><w:lvlText w:val="•" /></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="9" /></w:num><w:num w:numId="2"><w:abstractNumId w:val="8" /></w:num>',
  );
  assert.deepEqual([...signless], ["1"]);
  const sign = markLayout('<w:pPr><w:numId w:val="1"/></w:pPr>', signless).replace(/<[^<>]*>/g, "");
  const html = `<ol><li>a</li></ol><ul><li>${sign}more</li></ul><pre>${sign}code</pre><ol><li>b</li></ol><ul><li>c<ul><li>d</li><li>${sign}e</li></ul></li></ul>`;
  const blocks = arrange(html, blocksOfHtml(readHtml(showLayout(html))).blocks);
  const markdown = "1. a\n\n   more\n\n   ```\n   code\n   ```\n\n2. b\n\n- c\n\n  - d\n\n    e\n";
  assert.equal(serialiseBody(blocks).text.trimEnd(), markdown.trimEnd());
  const kept = '<w:pPr/><w:p><w:pPr><w:jc w:val="left"/></w:pPr></w:p><w:pict>v</w:pict>';
  assert.equal(markLayout(kept, signless), kept);
  for (const unit of [
    "<w:pPr>",
    "<w:pict",
    "<w:pPr/>",
    "<w:pPr><w:pBdr></w:pPr>",
    '<w:pPr><w:pStyle w:val="Quote"/></w:pPr>',
    '<w:pPr><w:jc w:val="right"/></w:pPr>',
  ])
    markLayout(unit.repeat(100_000), signless);
  const item = `<ul><li>${sign}x</li></ul>`;
  const long = `<ol><li>a</li></ol>${item.repeat(20_000)}`;
  assert.equal(arrange(long, blocksOfHtml(readHtml(long)).blocks).length, 1);
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
