import type { Mark, Node } from "../types.ts";

/** The guide's entry for a node or mark type. */
export interface Sample {
  /** Its purpose, and the meaning of attributes whose names do not explain it. */
  readonly about: string;
  /** Markdown that makes one; null where Markdown has no form that makes it. */
  readonly markdown: string | null;
  /** One as JSON, where `markdown` is null: the guide shows the Markdown that is written for it. */
  readonly node?: Node;
}

const text = (content: string, ...marks: Mark[]): Node => ({
  type: "text",
  text: content,
  ...(marks.length > 0 && { marks }),
});
const line = (...content: Node[]): Node => ({ type: "paragraph", content });

const LIST = "- Pack\n- Go";
const TASKS = "- [x] Pack\n- [ ] Go";
const TABLE = "| City | People |\n| --- | ---: |\n| Ulm | 128,928 |";
const DETAILS = "<details>\n<summary>More</summary>\n\nHidden at first.\n\n</details>";
const FOOTNOTE = "Water boils at 100 °C.[^1]\n\n[^1]: At sea level.";

export const nodeSamples: Readonly<Record<string, Sample>> = {
  paragraph: { about: "A paragraph.", markdown: "A line of text." },
  heading: { about: "Opens a section. `level` is 1 to 6, and required.", markdown: "## Installing" },
  bulletList: { about: "A list without numbers.", markdown: LIST },
  orderedList: { about: "A numbered list; `start` is its first number.", markdown: "3. Pack\n4. Go" },
  listItem: { about: "An item of `bulletList` and `orderedList`.", markdown: LIST },
  taskList: { about: "A list of things to do.", markdown: TASKS },
  taskItem: { about: "An item of `taskList`.", markdown: TASKS },
  blockquote: { about: "A quotation.", markdown: "> Less is more." },
  codeBlock: { about: "Source code, as bare text.", markdown: "```js\nlet answer = 42;\n```" },
  horizontalRule: { about: "A line across the page.", markdown: "---" },
  image: {
    about:
      "A picture in a place of its own. It has `attachmentId` (an uploaded file; `src` follows from it) or a `src` of its own. `width` and `height` are pixels.",
    markdown: '![A map](https://example.org/map.png "The way there")',
  },
  table: { about: "A table. Spreadsheets consist of tables.", markdown: TABLE },
  tableRow: { about: "A row of `table`.", markdown: TABLE },
  tableHeader: {
    about: "A cell of a header. `align` is `left`, `center` or `right`; `colwidth` a list of widths in pixels.",
    markdown: TABLE,
  },
  tableCell: { about: "A cell, with the attributes of `tableHeader`.", markdown: TABLE },
  callout: {
    about: "Something to notice. `kind` is `note`, `tip`, `important`, `warning` or `caution`.",
    markdown: "> [!TIP]\n> Save often.",
  },
  details: { about: "Text that can be folded away.", markdown: DETAILS },
  detailsSummary: { about: "The line of `details` that is always shown.", markdown: DETAILS },
  detailsContent: { about: "What `details` folds away.", markdown: DETAILS },
  blockMath: { about: "A formula in a place of its own.", markdown: "$$\nE = mc^2\n$$" },
  attachment: {
    about: "A file to download: `attachmentId` is the uploaded file's id, `name` what is shown.",
    markdown: null,
    node: { type: "attachment", attrs: { attachmentId: "att_01K00000000000000000000000", name: "plan.pdf" } },
  },
  footnoteDefinition: { about: "A footnote; `label` is what references name.", markdown: FOOTNOTE },
  rawHtml: {
    about:
      "HTML that has no node of its own, kept as it was written. It is shown as HTML where all of it is harmless, as source otherwise; a comment shows nothing.",
    markdown: "<!-- keep this in step with the handbook -->",
  },
  youtube: {
    about: "A video of another host. It is shown as a link.",
    markdown: null,
    node: { type: "youtube", attrs: { src: "https://www.youtube.com/watch?v=dQw4w9WgXcQ" } },
  },
  hardBreak: { about: "A new line within a paragraph.", markdown: "One\\\nTwo" },
  inlineRawHtml: { about: "One tag or comment in a line, kept as it was written.", markdown: "Ring <abbr>HQ</abbr>." },
  mention: {
    about: "A person. `kind` is `user`, `id` the person's id, `label` the name as it was.",
    markdown: "Ask [@Ada](svc://user/user_01K00000000000000000000000).",
  },
  emoji: {
    about: "Taken from editors that have such a node; shown as the character.",
    markdown: null,
    node: line(text("Well done "), { type: "emoji", attrs: { name: "tada", emoji: "🎉" } }),
  },
  inlineImage: {
    about: "A picture within a line, with the attributes of `image`.",
    markdown: "The ![red](https://example.org/red.png) button.",
  },
  inlineMath: { about: "A formula within a line.", markdown: "The area is $\\pi r^2$." },
  footnoteReference: { about: "A mark that leads to the footnote of the same `label`.", markdown: FOOTNOTE },
};

export const markSamples: Readonly<Record<string, Sample>> = {
  bold: { about: "Strong.", markdown: "**strong**" },
  italic: { about: "Emphasised.", markdown: "*emphasised*" },
  strike: { about: "Struck out.", markdown: "~~gone~~" },
  code: { about: "Code within a line.", markdown: "`npm start`" },
  underline: { about: "Underlined.", markdown: "<u>underlined</u>" },
  link: {
    about:
      "A link. A page of this service is `svc://doc/<id>`, a block of it `svc://doc/<id>#block=<block id>`. Where the text is also the `title`, our pages show the title that the page has now.",
    markdown: '[the site](https://example.org "Title")',
  },
  highlight: { about: "As with a marker; `color` is a CSS colour.", markdown: "<mark>marked</mark>" },
  textStyle: {
    about: "Colours and letters as CSS writes them. Markdown cannot say them and leaves them out.",
    markdown: null,
    node: line(text("red", { type: "textStyle", attrs: { color: "#c00" } })),
  },
  subscript: { about: "Below the line.", markdown: "H<sub>2</sub>O" },
  superscript: { about: "Above the line.", markdown: "10<sup>3</sup>" },
  kbd: { about: "A key, or what is typed.", markdown: "Press <kbd>Ctrl</kbd>." },
};
