import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { parseMarkdown } from "../markdown/parse.ts";
import { anyBlocks } from "../markdown/testing/markdown-bodies.ts";
import type { Node } from "../types.ts";
import { renderBlock, renderBody } from "./render.ts";
import { assertInert } from "./testing/inert.ts";

const cases: readonly (readonly [markdown: string, html: string])[] = [
  ["a *b* **c** ~~d~~ `e` <u>f</u>", "<p>a <em>b</em> <strong>c</strong> <s>d</s> <code>e</code> <u>f</u></p>\n"],
  ["a\\\nb", "<p>a<br>b</p>\n"],
  ["**a *b***", "<p><strong>a <em>b</em></strong></p>\n"],
  ["## a & b", "<h2>a &amp; b</h2>\n"],
  ["---", "<hr>\n"],
  ["```js\na < b\n```", '<pre><code class="language-js">a &lt; b</code></pre>\n'],
  ["- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n"],
  ["- a\n  - b", "<ul>\n<li>\n<p>a</p>\n<ul>\n<li>b</li>\n</ul>\n</li>\n</ul>\n"],
  ["3. a", '<ol start="3">\n<li>a</li>\n</ol>\n'],
  [
    "- [x] a",
    '<ul class="task-list" data-type="taskList">\n<li class="task-item" data-type="taskItem" data-checked="true"><input type="checkbox" disabled checked>\n<p>a</p>\n</li>\n</ul>\n',
  ],
  ["> a", "<blockquote>\n<p>a</p>\n</blockquote>\n"],
  ["> [!TIP]\n> a", '<aside class="callout callout-tip" role="note">\n<p>a</p>\n</aside>\n'],
  ["<details>\n<summary>s</summary>\n\na\n\n</details>", "<details>\n<summary>s</summary>\n<p>a</p>\n</details>\n"],
  [
    "| a | b |\n|---|--:|\n| c | d |",
    '<table>\n<thead>\n<tr>\n<th>a</th>\n<th style="text-align:right">b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>c</td>\n<td style="text-align:right">d</td>\n</tr>\n</tbody>\n</table>\n',
  ],
  [
    "![a](b.png 'c')",
    '<figure><img src="b.png" alt="a" title="c" loading="lazy"><figcaption>c</figcaption></figure>\n',
  ],
  ["$x$", '<p><span class="math math-inline" data-type="inline-math" data-latex="x"><code>x</code></span></p>\n'],
  ["$$\nx\n$$", '<div class="math math-block" data-type="block-math" data-latex="x"><pre><code>x</code></pre></div>\n'],
  [
    "a[^1]\n\n[^1]: b",
    '<p>a<sup class="footnote-ref"><a href="#fn-1">1</a></sup></p>\n<div class="footnote" id="fn-1" role="doc-footnote"><span class="footnote-label">1</span>\n<p>b</p>\n</div>\n',
  ],
  ["[a](http://b 'c')", '<p><a href="http://b" title="c" rel="noopener noreferrer">a</a></p>\n'],
  [
    "[a](svc://doc/1) [b](/c) [d](#e) [f](javascript:g)",
    '<p><a href="svc://doc/1" rel="noopener noreferrer">a</a> <a href="/c" rel="noopener noreferrer">b</a> <a href="#e" rel="noopener noreferrer">d</a> <a>f</a></p>\n',
  ],
];

describe("blocks", () => {
  for (const [markdown, html] of cases)
    test(JSON.stringify(markdown), () => {
      assert.equal(renderBody(parseMarkdown(markdown)), html);
      assertInert(html);
    });
});

test("headings take their ids from the slugs given", () => {
  const heading: Node = { type: "heading", attrs: { id: "block_1", level: 2 }, content: [{ type: "text", text: "A" }] };
  assert.equal(renderBlock(heading, { slugs: new Map([["block_1", "a"]]) }), '<h2 id="a">A</h2>');
});

test("merged cells, widths and colours that Markdown cannot say are in the HTML", () => {
  const text: Node = { type: "text", text: "x", marks: [{ type: "textStyle", attrs: { color: "#f00" } }] };
  const cell: Node = {
    type: "tableCell",
    attrs: { colspan: 2, rowspan: 1 },
    content: [{ type: "paragraph", content: [text] }],
  };
  assert.match(renderBlock(cell), /<td colspan="2"><span style="color:#f00">x<\/span><\/td>/);
  assert.match(renderBlock({ type: "image", attrs: { src: "a", width: 300 } }), /width="300"/);
});

test("attachments are served where the caller says", () => {
  const nodes: Node[] = [
    { type: "image", attrs: { attachmentId: "att_1", src: "/api/v1/attachments/att_1", alt: "a" } },
    { type: "attachment", attrs: { attachmentId: "att_1", name: "f.pdf" } },
  ];
  const html = renderBody(nodes, { attachmentUrl: (id) => `/s/token/${id}` });
  assert.ok(html.includes('src="/s/token/att_1"') && html.includes('<a href="/s/token/att_1" download>f.pdf</a>'));
  assert.ok(renderBody(nodes).includes('href="/api/v1/attachments/att_1"'));
});

test("a body is its blocks one after the other", () => {
  fc.assert(
    fc.property(anyBlocks, (blocks) => {
      const html = renderBody(blocks);
      assert.equal(html, blocks.map((block) => `${renderBlock(block)}\n`).join(""));
      assertInert(html);
    }),
    { seed: 9, numRuns: 300 },
  );
});

test("EDIT16 a table has the widths of its columns, as far as they are widths", () => {
  const cell = (attrs: Node["attrs"]): Node => ({
    type: "tableCell",
    attrs: attrs ?? {},
    content: [{ type: "paragraph" }],
  });
  const row: Node = {
    type: "tableRow",
    content: [cell({ colwidth: [160] }), cell({ colwidth: ["9px;x"], colspan: 2 })],
  };
  const html = renderBlock({ type: "table", content: [row] });
  assert.match(html, /^<table>\n<colgroup><col style="width:160px"><col><col><\/colgroup>/);
  const plain: Node = { type: "tableRow", content: [cell({})] };
  assert.doesNotMatch(renderBlock({ type: "table", content: [plain] }), /colgroup/);
});

test("HTML2 attributes of no use are left out, and what they stand at is shown", () => {
  const html = (markdown: string) => renderBody(parseMarkdown(markdown));
  for (const [markdown, shown] of [
    ['<table><tr><td width="14.28%" odd="x">a</td></tr></table>', '<td width="14.28%">a</td>'],
    ['<table><tr><td width="wide">a</td></tr></table>', "<td>a</td>"],
    ['<img src="a.png" width="100px;">', '<img src="a.png" alt="" width="100" loading="lazy">'],
    ["<picture>\n<source srcset=a>\n<img src=b.png>\n</picture>", '<img src="b.png">'],
    ["<div>A &bull; B</br>C</div>", "<div>A • B<br>C</div>"],
  ] as const) {
    assertInert(html(markdown));
    assert.ok(html(markdown).includes(shown), html(markdown));
  }
  assert.match(html('<div onclick="x()">a</div>'), /^<pre class="raw-html">/);
});

test("HTML8 comments and names of blocks are kept and shown nowhere", () => {
  assert.equal(
    renderBody(parseMarkdown("a %%secret%% b ^37066d\n\n- c ^quote\n")),
    "<p>a  b</p>\n<ul>\n<li>c</li>\n</ul>\n",
  );
  assert.ok(!renderBody(parseMarkdown("%%\nsecret\n%%")).includes("secret"));
  assert.equal(renderBody(parseMarkdown("x ^2")), "<p>x ^2</p>\n");
});
