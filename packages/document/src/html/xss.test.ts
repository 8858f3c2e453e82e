import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { parseMarkdown } from "../markdown/parse.ts";
import { serialiseBody } from "../markdown/serialise.ts";
import { anyBlocks } from "../markdown/testing/markdown-bodies.ts";
import type { Attrs, Node } from "../types.ts";
import { renderBody } from "./render.ts";
import { assertInert } from "./testing/inert.ts";

/** Addresses that run something, plainly or in disguise. */
const evilUrls = [
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  " javascript:alert(1)",
  "\tjavascript:alert(1)",
  "java\nscript:alert(1)",
  "java\tscript:alert(1)",
  "java\rscript:alert(1)",
  "java\0script:alert(1)",
  "\x01javascript:alert(1)",
  "\x1fjavascript:alert(1)",
  "javascript\x00:alert(1)",
  "javascript :alert(1)",
  "javascript\u200b:alert(1)",
  "\u00a0javascript:alert(1)",
  "\ufeffjavascript:alert(1)",
  "javascript&colon;alert(1)",
  "&#106;avascript:alert(1)",
  "&#x6A&#x61;vascript:alert(1)",
  "javascript:javascript:alert(1)",
  "javascript://%0aalert(1)",
  "view-source:javascript:alert(1)",
  "feed:javascript:alert(1)",
  "jar:javascript:alert(1)",
  "vbscript:msgbox(1)",
  "livescript:x",
  "mocha:x",
  "data:text/html,<script>alert(1)</script>",
  "data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==",
  "data:image/svg+xml,<svg onload=alert(1)>",
  "DATA:image/png;base64,AAAA",
  "blob:https://a/b",
  "file:///etc/passwd",
  "filesystem:http://a/b",
  "about:blank",
  "ws://a",
  "intent://a#Intent;scheme=x;end",
  "ms-settings:x",
  "x-foo:bar",
  "java%73cript:alert(1)\u2028:",
];

/** Addresses that may go out only escaped. */
const breakOuts = [
  '"><script>alert(1)</script>',
  "'><img src=x onerror=alert(1)>",
  '" onmouseover="alert(1)',
  "' onfocus='alert(1)' autofocus='",
  '" style="background:url(javascript:alert(1))',
  "`onclick=alert(1)`",
  "</a><svg/onload=alert(1)>",
  'http://a/?"onload=alert(1)//',
  "https://a/</title><script>alert(1)</script>",
  "//evil.example/x",
  '#"><b>',
  'mailto:a@b.c?"><img src=x onerror=alert(1)>',
];

/** Text and raw HTML as a person would paste it. */
const evilMarkdown = [
  "<script>alert(1)</script>",
  "<SCRIPT SRC=//evil/x.js></SCRIPT>",
  "<scr<script>ipt>alert(1)</scr</script>ipt>",
  "<<script>alert(1)//<</script>",
  "<script\0>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  '<img src="x" onerror="alert(1)">',
  "<img src=`javascript:alert(1)`>",
  "<svg onload=alert(1)>",
  "<svg><script>alert(1)</script></svg>",
  "<svg><animate onbegin=alert(1) attributeName=x>",
  "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
  "<iframe src=javascript:alert(1)></iframe>",
  "<iframe srcdoc='<script>alert(1)</script>'>",
  "<object data=javascript:alert(1)>",
  "<embed src=data:text/html,x>",
  "<form action=javascript:alert(1)><button>x",
  "<base href=javascript:alert(1)//>",
  "<link rel=stylesheet href=javascript:alert(1)>",
  "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
  "<style>@import 'javascript:alert(1)';</style>",
  "<style>*{background:url('javascript:alert(1)')}</style>",
  '<div style="width:expression(alert(1))">x</div>',
  "<body onload=alert(1)>",
  "<input autofocus onfocus=alert(1)>",
  "<video><source onerror=alert(1)></video>",
  "<audio src=x onerror=alert(1)>",
  "<marquee onstart=alert(1)>x</marquee>",
  "<details open ontoggle=alert(1)>\n\nx\n\n</details>",
  "<details><summary onclick=alert(1)>x</summary>\n\ny\n\n</details>",
  "<details>\n<summary><img src=x onerror=alert(1)></summary>\n\nx\n\n</details>",
  "<u onclick=alert(1)>x</u>",
  "<sub/onclick=alert(1)>x</sub>",
  "<mark style='x'>y</mark>",
  "<a href=javascript:alert(1)>x</a>",
  '<a href="&#106;avascript:alert(1)">x</a>',
  '<!--<img src="--><img src=x onerror=alert(1)//">',
  "<!--> <script>alert(1)</script> -->",
  "<!-- --!><script>alert(1)</script>",
  "<![CDATA[<script>alert(1)</script>]]>",
  "<?xml version=1?><script>alert(1)</script>",
  "<!DOCTYPE x [<!ENTITY y '<script>'>]>",
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  "<textarea></textarea><script>alert(1)</script>",
  "<title></title><script>alert(1)</script>",
  "<plaintext>",
  "<xmp><script>alert(1)</script></xmp>",
  "<template><script>alert(1)</script></template>",
  "&lt;script&gt;alert(1)&lt;/script&gt;",
  "&#60;script&#62;alert(1)&#60;/script&#62;",
  "\\<script>alert(1)\\</script>",
  "`<script>alert(1)</script>`",
  "```<script>\n<script>alert(1)</script>\n```",
  '```"><img/src=x/onerror=alert(1)>\nx\n```',
  '!["onerror=alert(1) x="](x)',
  '![x](x "\\" onerror=alert(1)")',
  "[x](x '\" onclick=\"alert(1)')",
  "[![x](javascript:alert(1))](javascript:alert(2))",
  "[x]: javascript:alert(1)\n\n[x]",
  "<javascript:alert(1)>",
  "$</code><script>alert(1)</script>$",
  "$$\n</code></pre><script>alert(1)</script>\n$$",
  '[^"><script>]\n\n[^a]: <script>alert(1)</script>',
  "| <script> |\n|---|\n| <img src=x onerror=alert(1)> |",
  "> [!NOTE]<script>alert(1)</script>\n> x",
  "# <img src=x onerror=alert(1)>",
  "- [ ] <img src=x onerror=alert(1)>",
  "+ADw-script+AD4-alert(1)+ADw-/script+AD4-",
  "\u2028<script>alert(1)</script>\u2029",
];

const link = (href: string): Node => ({
  type: "paragraph",
  content: [{ type: "text", text: "x", marks: [{ type: "link", attrs: { href, title: href } }] }],
});
const image = (src: string): Node => ({ type: "image", attrs: { src, alt: src, title: src } });
const render = (...nodes: Node[]): string => renderBody(nodes, { slugs: new Map([["block_1", '"><script>']]) });

describe("addresses that run something never come out", () => {
  for (const url of evilUrls)
    test(JSON.stringify(url), () => {
      const html = render(link(url), image(url));
      assertInert(html);
      assert.doesNotMatch(html, / (?:href|src)="(?!\/api)/);
    });
});

describe("addresses cannot break out of their attribute", () => {
  for (const url of breakOuts) test(JSON.stringify(url), () => assertInert(render(link(url), image(url))));
});

describe("hostile Markdown is text", () => {
  for (const markdown of evilMarkdown)
    test(JSON.stringify(markdown), () => {
      const blocks = parseMarkdown(markdown);
      assertInert(renderBody(blocks));
      assertInert(renderBody(parseMarkdown(serialiseBody(blocks).text)));
    });
});

const evilValues = [...evilUrls, ...breakOuts, ...evilMarkdown];

test("hostile values in any attribute of any node are inert", () => {
  const names = ["id", "level", "start", "checked", "language", "src", "alt", "title", "width", "height", "colspan"];
  const more = ["rowspan", "align", "kind", "open", "latex", "attachmentId", "name", "label", "color", "href", "style"];
  fc.assert(
    fc.property(anyBlocks, fc.constantFrom(...evilValues), (blocks, value) => {
      const attrs: Attrs = Object.fromEntries([...names, ...more].map((name) => [name, value]));
      const spoil = (node: Node): Node => ({
        ...node,
        attrs,
        ...(node.text !== undefined && {
          text: value,
          marks: markTypes.map((type) => ({ type, attrs: { ...attrs, ...styles(value) } })),
        }),
        ...(node.content && { content: node.content.map(spoil) }),
      });
      assertInert(render(...blocks.map(spoil)));
      assertInert(render(...blocks));
    }),
    { seed: 7, numRuns: 300 },
  );
});

const markTypes = ["link", "highlight", "textStyle", "bold", "code", "script", "__proto__"];
const styles = (value: string): Attrs => ({
  color: value,
  backgroundColor: `red;${value}`,
  fontSize: value,
  fontFamily: value,
});

test("a style that is no colour, size or font name is left out", () => {
  for (const color of [
    "red;x",
    "url(x)",
    "expression(x)",
    "var(--x)",
    "rgb(1,2,3);a:b",
    "#12",
    "r\\65 d",
    "rgb(calc(1),2,3)",
  ]) {
    const text: Node = {
      type: "text",
      text: "x",
      marks: [{ type: "textStyle", attrs: { color, backgroundColor: color } }],
    };
    assert.equal(renderBody([{ type: "paragraph", content: [text] }]), "<p><span>x</span></p>\n");
  }
});

test("a rewriter cannot bring an unsafe address in", () => {
  const blocks = [
    link("svc://doc/1"),
    { type: "image", attrs: { attachmentId: "att_1" } },
    { type: "attachment", attrs: { attachmentId: "att_1" } },
  ];
  const html = renderBody(blocks, { linkUrl: () => "javascript:x", attachmentUrl: () => "data:text/html,x" });
  assertInert(html);
  assert.doesNotMatch(html, /javascript|data:/);
});
