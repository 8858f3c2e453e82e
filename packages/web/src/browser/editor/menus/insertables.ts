import type { Node as Json } from "@svc/document/types";
import type { ChainedCommands } from "@tiptap/core";
import { TextSelection } from "@tiptap/pm/state";
import type { IconName } from "../../../shared/icons.ts";
import { belowSummary } from "../details.ts";
import { toggleCode } from "../typing/code-lines.ts";
import { insertBlock, insertInline } from "./insert-block.ts";

/** A kind of block that can be inserted. */
export interface Insertable {
  readonly name: string;
  /** Other search words. */
  readonly words: string;
  readonly run: (chain: ChainedCommands) => ChainedCommands;
  /** The type of block that a line of text can become. */
  readonly turnsTo?: string;
}

interface Shown {
  readonly icon: IconName;
  readonly group: string;
  readonly keys?: string;
}

const BASIC = "Basic";
const MEDIA = "Media and code";
const MORE = "Advanced";

/** How the choices of the menu look, by name. */
const looks: Readonly<Record<string, Shown>> = {
  Text: { icon: "document", group: BASIC, keys: "Ctrl Alt 0" },
  "Heading 1": { icon: "heading", group: BASIC, keys: "Ctrl Alt 1" },
  "Heading 2": { icon: "heading", group: BASIC, keys: "Ctrl Alt 2" },
  "Heading 3": { icon: "heading", group: BASIC, keys: "Ctrl Alt 3" },
  "Bullet list": { icon: "bullet-list", group: BASIC, keys: "Ctrl Shift 8" },
  "Numbered list": { icon: "ordered-list", group: BASIC, keys: "Ctrl Shift 7" },
  "Task list": { icon: "task-list", group: BASIC, keys: "Ctrl Shift 9" },
  Table: { icon: "table", group: BASIC },
  "Image or file": { icon: "file", group: MEDIA },
  Quote: { icon: "quote", group: MEDIA, keys: "Ctrl Shift B" },
  Code: { icon: "code-block", group: MEDIA, keys: "Ctrl Alt C" },
};

export const lookOf = (name: string): Shown => looks[name] ?? { icon: iconOf(name), group: MORE };

const iconOf = (name: string): IconName => {
  if (name.startsWith("Callout")) return "info";
  if (name.startsWith("Heading")) return "heading";
  if (name.includes("HTML")) return "code";
  if (name.includes("ormula") || name.includes("diagram")) return "concept";
  if (name === "Find and replace") return "search";
  if (name === "Page settings") return "settings";
  return name === "Keyboard shortcuts" ? "keyboard" : "plus";
};

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

/** The most common ones first. */
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
  {
    name: "Mermaid diagram",
    words: "chart graph",
    run: (chain) =>
      insertBlock(belowSummary(chain), {
        type: "codeBlock",
        attrs: { language: "mermaid" },
        content: [{ type: "text", text: "graph TD\n  A --> B" }],
      }).command(({ tr }) => {
        // Typing replaces the example.
        const { $from } = tr.selection;
        tr.setSelection(TextSelection.create(tr.doc, $from.start(), $from.end()));
        return true;
      }),
  },
  put("Formula", "math latex equation", { type: "blockMath", attrs: { latex: "" } }),
  {
    name: "Inline formula",
    words: "math latex inline",
    run: (chain) => insertInline(chain, { type: "inlineMath", attrs: { latex: "x" } }),
  },
  put("HTML", "raw source embed", { type: "rawHtml", attrs: { html: "" } }),
  {
    name: "Inline HTML",
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
