import type { Node as Json } from "@svc/document/types";
import type { ChainedCommands } from "@tiptap/core";
import { belowSummary } from "../details.ts";
import { toggleCode } from "../typing/code-lines.ts";
import { insertBlock, insertInline } from "./insert-block.ts";

/** A kind of block that can be made by hand. */
export interface Insertable {
  readonly name: string;
  /** Other words under which it is found. */
  readonly words: string;
  readonly run: (chain: ChainedCommands) => ChainedCommands;
  /** The type of block that a line of text can become. */
  readonly turnsTo?: string;
}

const line: Json = { type: "paragraph" };
const put = (name: string, words: string, json: Json): Insertable => ({
  name,
  words,
  run: (chain) => insertBlock(belowSummary(chain), json),
});
const turn = (name: string, turnsTo: string, words: string, run: Insertable["run"]): Insertable => ({
  name,
  words,
  turnsTo,
  run: (chain) => run(belowSummary(chain)),
});

const headings = ([1, 2, 3, 4, 5, 6] as const).map((level) =>
  turn(`Heading ${level}`, "heading", `title h${level}`, (chain) => chain.setHeading({ level })),
);

const callouts = ["note", "tip", "important", "warning", "caution"].map((kind) =>
  put(`Callout: ${kind}`, "box alert", { type: "callout", attrs: { kind }, content: [line] }),
);

/** What is wanted most stands first. */
export const insertables: readonly Insertable[] = [
  turn("Text", "paragraph", "paragraph plain", (chain) => chain.setParagraph()),
  ...headings.slice(0, 3),
  turn("Bullet list", "bulletList", "unordered ul", (chain) => chain.toggleBulletList()),
  turn("Numbered list", "orderedList", "ordered ol", (chain) => chain.toggleOrderedList()),
  turn("Task list", "taskList", "todo check box", (chain) => chain.toggleTaskList()),
  {
    name: "Table",
    words: "grid rows columns",
    run: (chain) => belowSummary(chain).insertTable({ rows: 3, cols: 3, withHeaderRow: true }),
  },
  turn("Quote", "blockquote", "blockquote citation", (chain) => chain.toggleBlockquote()),
  turn("Code", "codeBlock", "block program source", toggleCode),
  ...callouts,
  put("Details", "collapsible toggle summary", {
    type: "details",
    attrs: { open: true },
    content: [{ type: "detailsSummary" }, { type: "detailsContent", content: [line] }],
  }),
  put("Divider", "horizontal rule line hr", { type: "horizontalRule" }),
  ...headings.slice(3),
  put("Mermaid diagram", "chart graph", {
    type: "codeBlock",
    attrs: { language: "mermaid" },
    content: [{ type: "text", text: "graph TD\n  A --> B" }],
  }),
  put("Formula", "math latex equation", { type: "blockMath", attrs: { latex: "" } }),
  {
    name: "Formula in the line",
    words: "math latex inline",
    run: (chain) => insertInline(chain, { type: "inlineMath", attrs: { latex: "x" } }),
  },
  put("HTML", "raw source embed", { type: "rawHtml", attrs: { html: "" } }),
  {
    name: "HTML in the line",
    words: "raw tag inline source",
    run: (chain) => insertInline(chain, { type: "inlineRawHtml", attrs: { html: "<abbr>" } }),
  },
  {
    name: "Emoji",
    words: "smiley symbol",
    run: (chain) => insertInline(chain, { type: "emoji", attrs: { name: "slightly_smiling_face", emoji: "🙂" } }),
  },
  put("Video", "youtube film link", { type: "youtube", attrs: { src: "" } }),
];
