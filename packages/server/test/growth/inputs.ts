/** Texts that grow: a part again and again, between what begins and what ends it. */
export interface Input {
  readonly name: string;
  readonly make: (size: number) => string;
}

const repeat = (part: string, size: number): string => part.repeat(Math.ceil(size / part.length));

const around = (before: string, part: string, after: string): Input => ({
  name: JSON.stringify(`${before}${part}…${after}`),
  make: (size) => `${before}${repeat(part, size)}${after}`,
});

const parts: readonly string[] = [..."[(\"'=%., \ta1".split(""), "a=", "1,", "yms"];

/** Each part by itself and between other letters. */
export const inputs: readonly Input[] = parts.flatMap((part) => [around("", part, ""), around("x", part, "y")]);

/** Signs of Markdown, HTML, front matter, links and queries. */
const marks: readonly string[] = [
  ...[
    "*",
    "_",
    "`",
    "~~",
    "$",
    "![",
    "[",
    "](",
    "]",
    "[[",
    "[[a]]",
    "[[a|",
    "[^1]",
    "[a](b)",
    "<",
    "<a ",
    "<a>",
    "</a>",
  ],
  ...[
    "<!--",
    "<details>",
    "<p><b>",
    "&",
    "&amp;",
    "\\",
    "==",
    "%%",
    "^a",
    "|",
    "|a|b|\n",
    "#",
    "# a\n",
    "- ",
    "- a\n",
    "> ",
  ],
  ...[
    "> a\n",
    "1. a\n",
    "- [ ] a\n",
    "```\n",
    "    a\n",
    "\t",
    "\n",
    "\n\n",
    "a\n",
    "a: b\n",
    "a:: b\n",
    ": ",
    "---\n",
    "{{",
    "{:",
  ],
  ...[
    "((",
    ")",
    "%20",
    "http://a.b/",
    "a.b@c.d ",
    "www.",
    "@",
    "/",
    "../",
    "?a=b&",
    '"a" ',
    "-a ",
    "a* ",
    "é",
    "😀",
    "ｱ",
    "word ",
  ],
];

/** Each sign again and again, with and without letters before and behind. */
export const markupInputs: readonly Input[] = marks.flatMap((part) => [around("", part, ""), around("x\n", part, "y")]);

const nested = (size: number, type: string): unknown => {
  let node: unknown = { type: "paragraph" };
  for (let depth = 0; depth < size / 10; depth++) node = { type, content: [node] };
  return node;
};
const many = <T>(size: number, make: (i: number) => T): T[] => Array.from({ length: size }, (_, i) => make(i));
const json = (name: string, make: (size: number) => unknown): Input => ({
  name,
  make: (size) => JSON.stringify({ type: "doc", content: make(size) }),
});

/** Bodies as JSON that grow in every direction. */
export const jsonInputs: readonly Input[] = [
  json("quotes in quotes", (size) => [nested(size, "blockquote")]),
  json("paragraphs", (size) => many(size, () => ({ type: "paragraph" }))),
  json("equal ids", (size) => many(size, () => ({ type: "paragraph", attrs: { id: "a" } }))),
  json("pieces of text", (size) => [{ type: "paragraph", content: many(size, () => ({ type: "text", text: "a" })) }]),
  json("marks", (size) => [
    { type: "paragraph", content: [{ type: "text", text: "a", marks: many(size, (i) => ({ type: `m${i}` })) }] },
  ]),
  json("equal marks", (size) => [
    { type: "paragraph", content: [{ type: "text", text: "a", marks: many(size, () => ({ type: "bold" })) }] },
  ]),
  json("attributes", (size) => [{ type: "paragraph", attrs: Object.fromEntries(many(size, (i) => [`a${i}`, i])) }]),
  json("rows", (size) => [
    {
      type: "table",
      content: many(size, () => ({
        type: "tableRow",
        content: [{ type: "tableCell", content: [{ type: "paragraph" }] }],
      })),
    },
  ]),
];
