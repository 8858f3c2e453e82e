import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Attrs, Mark, Node } from "../types.ts";
import { sortMarks } from "./marks.ts";
import { parseMarkdown } from "./parse.ts";
import { serialiseBody } from "./serialise.ts";
import { node } from "./testing/markdown-bodies.ts";

type Child = string | Node;
const asNode = (child: Child): Node => (typeof child === "string" ? { type: "text", text: child } : child);
const p = (...content: Child[]): Node => node("paragraph", content.map(asNode));
const h = (level: number, ...content: Child[]): Node => node("heading", content.map(asNode), { level });
const code = (text: string, attrs?: Attrs): Node => node("codeBlock", text ? [{ type: "text", text }] : [], attrs);
const quote = (...content: Node[]): Node => node("blockquote", content);
const callout = (kind: string, ...content: Node[]): Node => node("callout", content, { kind });
const item = (...content: Node[]): Node => node("listItem", content);
const ul = (...items: Node[]): Node => node("bulletList", items);
const ol = (start: number, ...items: Node[]): Node => node("orderedList", items, start === 1 ? undefined : { start });
const task = (checked: boolean, ...content: Node[]): Node => node("taskItem", content, { checked });
const tasks = (...items: Node[]): Node => node("taskList", items);
const cell = (type: string, text: Child[], align?: string): Node =>
  node(type, [p(...text)], align ? { align } : undefined);
const th = (text: string, align?: string): Node => cell("tableHeader", text ? [text] : [], align);
const td = (text: Child, align?: string): Node => cell("tableCell", text === "" ? [] : [text], align);
const table = (...rows: Node[][]): Node =>
  node(
    "table",
    rows.map((cells) => node("tableRow", cells)),
  );
const marked = (text: string, ...marks: (string | Mark)[]): Node => ({
  type: "text",
  text,
  marks: sortMarks(marks.map((mark) => (typeof mark === "string" ? { type: mark } : mark))),
});
const link = (href: string, title?: string): Mark => ({ type: "link", attrs: title ? { href, title } : { href } });
const br: Node = { type: "hardBreak" };
const math = (latex: string): Node => ({ type: "inlineMath", attrs: { latex } });
const ref = (label: string): Node => ({ type: "footnoteReference", attrs: { label } });
const text = (value: string): Node => ({ type: "text", text: value });
const raw = (html: string): Node => ({ type: "rawHtml", attrs: { html } });
const tag = (html: string, ...marks: Mark[]): Node => ({
  type: "inlineRawHtml",
  attrs: { html },
  ...(marks.length > 0 && { marks }),
});
const pic = (src: string, attrs?: Attrs): Node => ({ type: "inlineImage", attrs: { src, ...attrs } });
const details = (summary: Child[], content: Node[], attrs?: Attrs): Node =>
  node("details", [node("detailsSummary", summary.map(asNode)), node("detailsContent", content)], attrs);
const hr = node("horizontalRule");
const att = "att_01ARZ3NDEKTSV4RRFFQ69G5FAV";

/** Text on the left is what the writer makes of the blocks, and reads back as them. */
const both: readonly (readonly [markdown: string, ...blocks: Node[]])[] = [
  ["plain text", p("plain text")],
  ["two\nlines", p("two\nlines")],
  ["a\\\nb", p("a", br, "b")],
  ["a<br>", p("a", br)],
  ["`a`\\\n`b`", p(marked("a", "code"), br, marked("b", "code"))],
  ["[]()[`a]: b`](c)", p(marked("a]: b", link("c"), "code"))],
  ["[[a]] b", p(marked("a", link("wiki:a")), " b")],
  ["[[a]]: b", p(marked("a", link("wiki:a")), ": b")],
  ["[[a]][^1]", p(marked("a", link("wiki:a")), ref("1"))],
  ["- [ ] `<!-- -->`", tasks(task(false, p(marked("<!-- -->", "code"))))],
  [
    '- [ ] <!-- -->\n\n  <p align="center">*a*</p>',
    tasks(task(false, node("paragraph", [text("*a*")], { textAlign: "center" }))),
  ],
  ["<p></p>", p()],
  ["# One\n\n###### Six", h(1, "One"), h(6, "Six")],
  ["#", h(1)],
  ["# a \\#", h(1, "a #")],
  ["# a<br>b", h(1, "a", br, "b")],
  ["# a&#10;b", h(1, "a\nb")],
  ["---", hr],
  ["```js\nlet a;\n```", code("let a;", { language: "js" })],
  ["```js {1,3}\na\n```", code("a", { language: "js", meta: "{1,3}" })],
  ["````\n```\n````", code("```")],
  ["~~~a`b\nx\n~~~", code("x", { language: "a`b" })],
  ["```\n```", code("")],
  ["> a\n>\n> b", quote(p("a"), p("b"))],
  ["> a\n\n> b", quote(p("a")), quote(p("b"))],
  [">", quote(p())],
  ["- a\n- b", ul(item(p("a")), item(p("b")))],
  ["- a\n  - b\n    - c", ul(item(p("a"), ul(item(p("b"), ul(item(p("c")))))))],
  ["-", ul(item(p()))],
  ["- a\n\n  b\n\n- c", ul(item(p("a"), p("b")), item(p("c")))],
  ["- a\n\n<!-- -->\n\n- b", ul(item(p("a"))), ul(item(p("b")))],
  ["- a\n\n```\nb\n```", ul(item(p("a"))), code("b")],
  ["- ```\n  a\n\n    b\n  ```", ul(item(code("a\n\n  b")))],
  ["- ***", ul(item(hr))],
  ["1. a\n2. b", ol(1, item(p("a")), item(p("b")))],
  ["9. a\n10. b", ol(9, item(p("a")), item(p("b")))],
  ["1. a\n   - b", ol(1, item(p("a"), ul(item(p("b")))))],
  ["- [ ] a\n- [x] b", tasks(task(false, p("a")), task(true, p("b")))],
  ["- [ ]", tasks(task(false, p()))],
  ["- [ ] a\n  - [x] b", tasks(task(false, p("a"), tasks(task(true, p("b")))))],
  ["- a\n\n<!-- -->\n\n- [ ] b", ul(item(p("a"))), tasks(task(false, p("b")))],
  ["| a | b |\n| --- | ---: |\n| c | d |", table([th("a"), th("b", "right")], [td("c"), td("d", "right")])],
  ["| a |\n| :---: |\n|  |", table([th("a", "center")], [td("", "center")])],
  ["| a |\n| --- |\n| \\| |", table([th("a")], [td("|")])],
  ["| a |\n| --- |\n| `\\|` |", table([th("a")], [td(marked("|", "code"))])],
  ["| a |\n| --- |\n| \\\\\\| |", table([th("a")], [td("\\|")])],
  ["> [!NOTE]\n> a", node("callout", [p("a")], { kind: "note" })],
  ["> [!WARNING]\n>\n> - a", node("callout", [ul(item(p("a")))], { kind: "warning" })],
  ["> [!TIP]", node("callout", [p()], { kind: "tip" })],
  ["> \\[!NOTE]", quote(p("[!NOTE]"))],
  [
    "<details>\n<summary>S *i*</summary>\n\na\n\n- b\n\n</details>",
    details(["S ", marked("i", "italic")], [p("a"), ul(item(p("b")))]),
  ],
  ["<details>\n<summary>a\u2028b</summary>\n\nc\n\n</details>", details(["a\u2028b"], [p("c")])],
  ["<details open>\n<summary></summary>\n\n</details>", details([], [p()], { open: true })],
  ["$x^2$ and", p(math("x^2"), " and")],
  ["$`a$b`$", p(math("a$b"))],
  ["a$`b`$c", p("a", math("b"), "c")],
  ["$$\na\n\nb\n$$", node("blockMath", [], { latex: "a\n\nb" })],
  ["$$$\n$$\n$$$", node("blockMath", [], { latex: "$$" })],
  ["costs $5", p("costs $5")],
  ["\\$5 or \\$6", p("$5 or $6")],
  ["a[^1]\n\n[^1]: b\n\n    c", p("a", ref("1")), node("footnoteDefinition", [p("b"), p("c")], { label: "1" })],
  ["[^n]:\n    - a", node("footnoteDefinition", [ul(item(p("a")))], { label: "n" })],
  ["![alt](src)", node("image", [], { src: "src", alt: "alt" })],
  [`![](/api/v1/attachments/${att})`, node("image", [], { src: `/api/v1/attachments/${att}`, attachmentId: att })],
  ['a ![](s "t") b', p("a ", pic("s", { title: "t" }), " b")],
  ["![](s)<!-- -->", p(pic("s"))],
  [
    '<img src="s" alt="&quot;a&quot;" width="300" height="50%">',
    node("image", [], { src: "s", alt: '"a"', width: 300, height: "50%" }),
  ],
  ['a <img src="s" width="9"> b', p("a ", pic("s", { width: 9 }), " b")],
  ["[![](s)](h)", p({ ...pic("s"), marks: [link("h")] })],
  [`[f.pdf](/api/v1/attachments/${att} "attachment")`, node("attachment", [], { attachmentId: att, name: "f.pdf" })],
  ["[a](svc://doc/doc_1)", p(marked("a", link("svc://doc/doc_1")))],
  ['[a](<b c> "d \\"e\\"")', p(marked("a", link("b c", 'd "e"')))],
  ["[a](javascript:x)", p(marked("a", link("javascript:x")))],
  ["<https://a.b/c_d_>", p(marked("https://a.b/c_d_", link("https://a.b/c_d_")))],
  ["<me@a.bc>", p(marked("me@a.bc", link("mailto:me@a.bc")))],
  ["https\\://a.b and www\\.c.d and me\\@e.fg", p("https://a.b and www.c.d and me@e.fg")],
  [
    "**a** *b* ~~c~~ `d`",
    p(marked("a", "bold"), " ", marked("b", "italic"), " ", marked("c", "strike"), " ", marked("d", "code")),
  ],
  ["***a** b*", p(marked("a", "bold", "italic"), marked(" b", "italic"))],
  ["**`a`**", p(marked("a", "bold", "code"))],
  ["`` ` ``", p(marked("`", "code"))],
  ["<code>a\nb</code>", p(marked("a\nb", "code"))],
  [
    "<u>a</u> H<sub>2</sub>O x<sup>2</sup> <mark>m</mark>",
    p(
      marked("a", "underline"),
      " H",
      marked("2", "subscript"),
      "O x",
      marked("2", "superscript"),
      " ",
      marked("m", "highlight"),
    ),
  ],
  ["你好<strong>「世界」</strong>吗", p("你好", marked("「世界」", "bold"), "吗")],
  ["你**好**吗", p("你", marked("好", "bold"), "吗")],
  ["a<strong> b </strong>c", p("a", marked(" b ", "bold"), "c")],
  ["**a**<em>b</em>", p(marked("a", "bold"), marked("b", "italic"))],
  ["1\\. a", p("1. a")],
  ["\\- a\n\\+ b\n\\# c\n\\> d\n\\=", p("- a\n+ b\n# c\n> d\n=")],
  ["snake_case \\_x\\_", p("snake_case _x_")],
  ["\\*a\\* \\`b\\` \\[c] \\<d> e < f", p("*a* `b` [c] <d> e < f")],
  ["\\&amp; AT&T", p("&amp; AT&T")],
  ["&#32; a&#32;", p("  a ")],
  ["\\![" + "a](b)", p("!", marked("a", link("b")))],
  ["a\\\\", p("a\\")],
];

describe("both ways", () => {
  for (const [markdown, ...blocks] of both)
    test(JSON.stringify(markdown), () => {
      assert.deepEqual(parseMarkdown(markdown), blocks);
      assert.deepEqual(serialiseBody(blocks), { text: `${markdown}\n`, warnings: [] });
    });
});

/** Other ways to write the same. */
const read: readonly (readonly [markdown: string, ...blocks: Node[]])[] = [
  ["", ...[]],
  ["Title\n=====\nSub\n---", h(1, "Title"), h(2, "Sub")],
  ["two\nlines\n===", h(1, "two lines")],
  ["    code", code("code")],
  ["* a\n+ b", ul(item(p("a"))), ul(item(p("b")))],
  ["- [ ] a\n- b\n- [X] c", tasks(task(false, p("a"))), ul(item(p("b"))), tasks(task(true, p("c")))],
  ["1. [ ] a", ol(1, item(p("[ ] a")))],
  ["a|b\n-|-\nc", table([th("a"), th("b")], [td("c"), td("")])],
  ["$$x$$", node("blockMath", [], { latex: "x" })],
  ["$ a$ $b $ $$", p("$ a$ $b $ $$")],
  ["US$5 and $6", p("US$5 and $6")],
  ["see https://a.b/c(d). <x>", p("see ", marked("https://a.b/c(d)", link("https://a.b/c(d)")), ". ", tag("<x>"))],
  [
    "www.a.b, me@a.bc!",
    p(marked("www.a.b", link("http://www.a.b")), ", ", marked("me@a.bc", link("mailto:me@a.bc")), "!"),
  ],
  ["svc://doc/doc_1", p(marked("svc://doc/doc_1", link("svc://doc/doc_1")))],
  ["xhttp://a.b README.md v1.0.0", p("xhttp://a.b README.md v1.0.0")],
  ["[a][r]\n\n[r]: u 't'", p(marked("a", link("u", "t")))],
  ["__a__ _b_", p(marked("a", "bold"), " ", marked("b", "italic"))],
  ["*a *b**", p(marked("a b", "italic"))],
  ["<b>a</b><i>b</i><del>c</del>", p(marked("a", "bold"), marked("b", "italic"), marked("c", "strike"))],
  [
    "<u>a *b</u> c*",
    p(tag("<u>"), "a ", marked("b", "italic"), tag("</u>", { type: "italic" }), marked(" c", "italic")),
  ],
  [
    "<div>*a*</div>\n\n<span>*b*</span>",
    raw("<div>*a*</div>"),
    p(tag("<span>"), marked("b", "italic"), tag("</span>")),
  ],
  ["<script>\n\nalert(1)\n</script>", raw("<script>\n\nalert(1)\n</script>")],
  ["<!-- note -->", raw("<!-- note -->")],
  ["<my-tag>\n\nx", raw("<my-tag>"), p("x")],
  ["%%\na\n\nb\n%%\n\nx", raw("%%\na\n\nb\n%%"), p("x")],
  ["<img src='s' onerror='x'>", p(tag("<img src='s' onerror='x'>"))],
  ["<img src='s' width='250px;'>", node("image", [], { src: "s", width: "250px" })],
  ["<IMG SRC='s' />", node("image", [], { src: "s" })],
  ["<details><summary>S</summary>\n\na\n\n</details>", details(["S"], [p("a")])],
  ["<details>\n\n<summary>S</summary>\n\na\n\n</details>", details(["S"], [p("a")])],
  ["<details>\n<summary>\nS\nT\n</summary>\n\na\n\n</details>", details(["S T"], [p("a")])],
  ["==a== b==c==d", p(marked("a", "highlight"), " b==c==d")],
  ["a %%x%% b", p("a ", tag("%%x%%"), " b")],
  ["100%% and 50%% more", p("100%% and 50%% more")],
  ["a</br>b", p("a", { type: "hardBreak" }, "b")],
  ["<details>\n\na", raw("<details>"), p("a")],
  ["[r]: u\n\n<details>\n\n[r]\n\n[s]: v\n\n</details>\n\nb", details([], [p(marked("r", link("u")))]), p("b")],
  ["<details>\n<summary>S</summary>\n- a\n</details>\nb", details(["S"], [ul(item(p("a")))]), p("b")],
  ["<details>\n</details>\n<details>\n</details>", details([], [p()]), details([], [p()])],
  ["<details>\n<details>\n</details>", raw("<details>"), details([], [p()])],
  ["<p>\n</details>\n<p>\n</details>", raw("<p>"), raw("</details>"), raw("<p>"), raw("</details>")],
  ["<details>\n\n<details>\n\na\n\n</details>\n<p>b</p>\n</details>", details([], [details([], [p("a")]), p("b")])],
  ["> \t<?", quote(raw("<?"))],
  ["<pre>\n\n ", raw("<pre>")],
  ["-\n   <div", ul(item(raw("<div")))],
  ["-\tb\n  <div", ul(item(p("b"))), raw("<div")],
  [" <details>\n\na\n\n  </details>", details([], [p("a")])],
  ["<x\ny>\n=", h(1, tag("<x y>"))],
  ["<x\n\u00a0\ny>", p(tag("<x\n\u00a0\ny>"))],
  ["<code>a<br>[^1]</code>", p(marked("a", "code"), br, ref("1"))],
  ["<!--@block=block_x-->\na", p("a")],
  ["<h2>a <b>b</b></h2>", node("heading", [text("a "), marked("b", "bold")], { level: 2 })],
  [
    '<p align="center">\n  <img src="s" width="9">\n  a\n</p>',
    node("paragraph", [pic("s", { width: 9 }), text(" a")], { textAlign: "center" }),
  ],
  ["<ul><li>a</li><li><p>b</p></li></ul>", ul(item(p("a")), item(p("b")))],
  ["<pre><code class='language-x'>a &lt; b\n</code></pre>", node("codeBlock", [text("a < b")], { language: "x" })],
  ["<p class='x'>a</p>", raw("<p class='x'>a</p>")],
  ["<p>a<p>", raw("<p>a<p>")],
  ["press <kbd>a</kbd>", p("press ", marked("a", "kbd"))],
  ["<kbd class=x>a</kbd>", p(tag("<kbd class=x>"), "a", tag("</kbd>"))],
  ["<a href=u>a</a>", p(marked("a", link("u")))],
  ["<p align=justify>a</p>", node("paragraph", [text("a")], { textAlign: "justify" })],
  [
    "<details open><summary>a <b>b</b></summary>c<hr></details>",
    details(["a ", marked("b", "bold")], [p("c"), hr], { open: true }),
  ],
  ["<details>\n<summary>S</summary>\n<p>a</p>\n</details>", details(["S"], [p("a")])],
  ["<details><summary>S</summary>\n\n<p>a</p>\n</details>\nb", details(["S"], [p("a")]), p("b")],
  ["<ul><li>a<details>b</details></li></ul>", ul(item(p("a"), details([], [p("b")])))],
  ["<details open=1>a</details>", raw("<details open=1>a</details>")],
  ["---\ntitle: a\n---", hr, h(2, "title: a")],
  ["&copy; &#35; &bogus;", p("© # &bogus;")],
  ["a\r\nb\rc", p("a\nb\nc")],
  ["a\0b", p("a\uFFFDb")],
  ["> [!note]\n> a\n>\n> b", node("callout", [p("a"), p("b")], { kind: "note" })],
  ["> [!OTHER]\n> a", quote(p("[!OTHER]\na"))],
  ["> [!OTHER] t\n> a", quote(p("[!OTHER] t\na"))],
  [
    "> [!note] My *own* title\n> a\n>\n> - b",
    callout(
      "note",
      p(marked("My ", "bold"), marked("own", "bold", "italic"), marked(" title", "bold")),
      p("a"),
      ul(item(p("b"))),
    ),
  ],
  [
    "> [!Tip]  a `b` **c** \n",
    callout("tip", p(marked("a ", "bold"), marked("b", "bold", "code"), marked(" c", "bold"))),
  ],
  ["> [!warning] t\n>\n> a", callout("warning", p(marked("t", "bold")), p("a"))],
  ["> [!question]\n> a", callout("note", p(marked("Question", "bold")), p("a"))],
  ["> [!danger] Hot\n> a", callout("caution", p(marked("Hot", "bold")), p("a"))],
  ["> [!tip]- Folded *t*\n> a", details(["Folded ", marked("t", "italic")], [callout("tip", p("a"))])],
  ["> [!bug]+\n> a", details(["Bug"], [callout("caution", p("a"))], { open: true })],
  ["> [!note]- t", details(["t"], [callout("note", p())])],
  ["> [!note] - t", callout("note", p(marked("- t", "bold")))],
  [
    "> [!note] ![x](y) [z](w)",
    callout(
      "note",
      p({ ...pic("y", { alt: "x" }), marks: [{ type: "bold" }] }, marked(" ", "bold"), marked("z", link("w"), "bold")),
    ),
  ],
  [
    "> [!note] a\n> > [!tip]- b\n> > c",
    callout("note", p(marked("a", "bold")), details(["b"], [callout("tip", p("c"))])),
  ],
];

describe("reading", () => {
  for (const [markdown, ...blocks] of read)
    test(JSON.stringify(markdown), () => {
      assert.deepEqual(parseMarkdown(markdown), blocks);
      const { text } = serialiseBody(blocks);
      assert.deepEqual(parseMarkdown(text), blocks, text);
    });
});
