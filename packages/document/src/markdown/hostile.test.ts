import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { renderBody } from "../html/render.ts";
import { assertInert } from "../html/testing/inert.ts";
import type { Node } from "../types.ts";
import { parseAnchored } from "./anchors.ts";
import { parseMarkdown } from "./parse.ts";
import { restyle } from "./restyle.ts";
import { serialiseBlock, serialiseBody } from "./serialise.ts";

const fill = (part: string) => (size: number) => part.repeat(Math.ceil(size / part.length));
const staircase = (size: number): string =>
  Array.from({ length: Math.sqrt(size) }, (_, i) => `${"  ".repeat(i)}- a`).join("\n");
const wideTable = (size: number): string => `${"|a".repeat(size / 4)}|\n${"|-".repeat(size / 4)}|\n`;
const raggedTable = (size: number): string => `${"|a".repeat(99)}|\n${"|-".repeat(99)}|\n${"|a\n".repeat(size / 3)}`;

const parts = [
  "[",
  "*",
  ">",
  "> ",
  "`",
  "![",
  "<",
  "&",
  "$",
  "_",
  "~",
  "\\",
  "|",
  "](",
  "[]()",
  "[a](",
  "[a](<b",
  "![a](",
  "**a ",
  "*a _b ",
  "- ",
  "1. ",
  "- [ ] ",
  "* > ",
  "[^1]",
  "[^1]: ",
  "[^1]:\n",
  "[a]: b\n",
  "# ",
  "a\n=\n",
  "---\n",
  "```\n",
  "~~~ x\n",
  "$$\n",
  "$$a\n",
  "$a ",
  "$`",
  "<a ",
  "<a b='",
  "<!--",
  "<![CDATA[",
  "<?",
  "<u>",
  "<u><s></u>",
  "<br>",
  "<div>\n",
  "<pre>\n\n",
  "<details>\n\n",
  "<details>\n<summary>x</summary>\n\n",
  "</details>\n\n",
  "<details>\n",
  "<details>\n<p>\n",
  "<details>\n<p></p></details>\n",
  "<p>\n</details>\n",
  "<kbd>",
  "<!-- -->\n",
  "a\n",
  "a  \n",
  "a\\\n",
  " ",
  "\t",
  "\n",
  "&amp;",
  "&#",
  "www.a",
  "http://a",
  "http://a(((",
  "http://a)))",
  "a@b.",
  "a.b.c-",
  "> a\n",
  "> [!NOTE]\n",
  "> [!bug] a *b\n\n",
  "> [!tip]- a\n",
  "> [!tip]+ ",
  "|x|y|\n",
  "**你。**好",
  "😀*",
  "\0",
  "*a _b `c [d ![e <f &g; $h ~~i ",
];
const shapes: readonly (readonly [name: string, make: (size: number) => string])[] = [
  ...parts.map((part) => [JSON.stringify(part), fill(part)] as const),
  ...[
    "a@b",
    "$a@b$",
    "$a\n@b$",
    "` a@b`",
    "# a@b",
    "|a@b|\n|-|",
    "<details>\n<summary>a@b</summary>\n\n</details>",
    "a@\n",
    "&a@;",
    "<p>@</p>",
  ].map(
    (shape) => [`spaces in ${JSON.stringify(shape)}`, (size: number) => shape.replace("@", " ".repeat(size))] as const,
  ),
  ["a long code span", (size) => `\` ${"a".repeat(size)}\``],
  ["a long word", (size) => `&${"a".repeat(size)}`],
  ["nested lists", staircase],
  ["a wide table", wideTable],
  ["a ragged table", raggedTable],
  ["a long table", (size) => `|a|b|\n|-|-|\n${fill("|x|y|\n")(size)}`],
];

function work(text: string): number {
  const start = process.cpuUsage();
  const blocks = parseMarkdown(text);
  serialiseBody(blocks);
  renderBody(blocks);
  restyle(text, blocks);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

describe("time grows with the size, not faster", () => {
  for (const [name, make] of shapes)
    test(name, () => {
      const large = make(100_000);
      work(make(2_000));
      // Fast inputs need no comparison; slow ones are compared with a quarter of themselves, twice if needed.
      const isLinear = (): boolean => {
        const time = work(large);
        return time < 400 || time < 8 * work(make(25_000)) + 100;
      };
      assert.ok(isLinear() || isLinear());
    });
});

test("any text is read, written and rendered, and is stable from then on", () => {
  const scrap = fc.constantFrom(
    ...parts,
    "a",
    " ",
    "\n",
    "\n\n",
    "  ",
    "    ",
    "\r\n",
    "x",
    "1",
    ")",
    "\v",
    "\u2028",
    "<p></p>",
    "</u>",
    "<code>",
    "</code>",
    "-->",
    "|-|\n",
  );
  const text = fc.array(scrap, { maxLength: 40 }).map((list) => list.join(""));
  fc.assert(
    fc.property(fc.oneof(text, fc.string({ unit: "binary", maxLength: 60 })), (source) => {
      const blocks = parseMarkdown(source);
      const once = serialiseBody(blocks);
      assert.equal(serialiseBody(parseMarkdown(once.text)).text, once.text);
      assert.deepEqual(parseMarkdown(once.text), blocks, once.text);
      assertInert(renderBody(blocks));
      parseAnchored(source.replaceAll("@block", "@"), [], () => "block_new");
    }),
    { seed: Number(process.env.SEED ?? 11), numRuns: Number(process.env.RUNS ?? 1500) },
  );
});

describe("nesting", () => {
  const depthOf = (nodes: readonly Node[]): number =>
    nodes.reduce((deepest, node) => Math.max(deepest, 1 + depthOf(node.content ?? [])), 0);

  for (const [name, text] of [
    ["quotes", `${">".repeat(5000)} deep`],
    ["lists", `${"- ".repeat(5000)} deep`],
    ["footnotes", `${"[^a]: ".repeat(5000)} deep`],
    ["details", `${"<details>\n\n".repeat(5000)}deep\n\n${"</details>\n\n".repeat(5000)}`],
  ] as const)
    test(`${name} are bounded, and nothing is lost`, () => {
      const blocks = parseMarkdown(text);
      assert.ok(depthOf(blocks) <= 200, String(depthOf(blocks)));
      assert.match(JSON.stringify(blocks), /deep/);
      const { text: once } = serialiseBody(blocks);
      assert.deepEqual(parseMarkdown(once), blocks);
    });

  test("a body nested deeper than Markdown can be read is lifted out, with a warning", () => {
    for (const [type, item] of [["blockquote"], ["bulletList", "listItem"], ["details", "detailsContent"]] as const) {
      let node: Node = { type: "paragraph", content: [{ type: "text", text: "deep" }] };
      for (let i = 0; i < 100; i++) node = { type, content: [item ? { type: item, content: [node] } : node] };
      const { text, warnings } = serialiseBlock(node);
      assert.ok(
        warnings.some(({ code }) => code === "nesting_flattened"),
        type,
      );
      const again = parseMarkdown(text);
      assert.match(JSON.stringify(again), /"content":\[\{"text":"deep","type":"text"\}\],"type":"paragraph"/);
      assert.equal(serialiseBody(again).text, `${text}\n`);
    }
  });
});
