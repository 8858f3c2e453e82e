import { defined } from "../defined.ts";
import { MAX_HTML_CHARACTERS } from "../html/raw/to-blocks.ts";
import { writeHtmlLine } from "../html/raw/write-line.ts";
import { TEXT_SIDES } from "../html/style.ts";
import { lookupTable } from "../lookup-table.ts";
import type { Json, Node } from "../types.ts";
import { readAnchor } from "./anchor-comment.ts";
import { attachmentIdOf, attachmentUrl } from "./attachment-url.ts";
import { escapeText, linkTitle } from "./escape.ts";
import { pictureNames } from "./img-tag.ts";
import { footnoteLabel } from "./rules/footnote.ts";
import { MAX_CONTAINER_LEVEL } from "./rules/nesting.ts";
import { lineGuard, separator, writeInline } from "./serialise-inline.ts";
import { type BlockWriters, writeList } from "./serialise-list.ts";
import { gapBetween, indent, isEmptyParagraph, writeBlocks } from "./serialise-parts.ts";
import { writeTable } from "./serialise-table.ts";
import { writeImage } from "./serialise-wiki.ts";
import { tokenize } from "./tokenizer.ts";
import { inBlock, type WriteContext, warn, warnLostAttrs } from "./warning.ts";

type Writer = (node: Node, ctx: WriteContext) => string;

const emptyParagraph = "<p></p>";
const emptyComment = /^<!--\s*-->$/;
const str = (value: Json | undefined): string => (typeof value === "string" ? value : "");

/** The children of a container; a lone empty paragraph is nothing, as an empty container reads back with one. */
const writeChildren = (node: Node, ctx: WriteContext, deeper: number): string => writeContent(node, ctx, deeper).text;

function writeContent(node: Node, ctx: WriteContext, deeper: number): { text: string; end: string } {
  const content = flatten(node.content ?? [], inBlock(ctx, node, deeper));
  if (content.length === 1 && isEmptyParagraph(content[0]!)) {
    warnLostAttrs(inBlock(ctx, content[0]!), content[0]!, []);
    return { text: "", end: "" };
  }
  return writeBlocks(content, (child) => writeBlock(child, inBlock(ctx, child, deeper)));
}

const containers: ReadonlySet<string> = new Set([
  "bulletList",
  "orderedList",
  "taskList",
  "blockquote",
  "callout",
  "details",
  "footnoteDefinition",
]);
const parts: ReadonlySet<string> = new Set(["listItem", "taskItem", "detailsContent"]);

/** Containers nested too deep to be read back give their content to the one around them. */
function flatten(blocks: readonly Node[], ctx: WriteContext): readonly Node[] {
  if (ctx.level < MAX_CONTAINER_LEVEL || !blocks.some((block) => containers.has(block.type))) return blocks;
  const flat: Node[] = [];
  const queue = [...blocks].reverse();
  for (let block = queue.pop(); block; block = queue.pop()) {
    if (block.type === "detailsSummary") flat.push({ ...block, type: "paragraph" });
    else if (!containers.has(block.type) && !parts.has(block.type)) flat.push(block);
    else {
      const message = "Nested too deep for Markdown; its content was lifted out.";
      warn(inBlock(ctx, block), "nesting_flattened", block.type, message);
      for (const child of [...(block.content ?? [])].reverse()) queue.push(child);
    }
  }
  return flat;
}

const quote = (text: string): string =>
  text === "" ? ">" : `> ${text.replaceAll("\n", "\n> ").replace(/\n> (?=\n)/g, "\n>")}`;

/** A line set to one side is written as HTML, which Markdown has no other word for. */
function writeAligned(tag: string, node: Node): string | undefined {
  const align = node.attrs?.textAlign;
  if (typeof align !== "string" || !TEXT_SIDES.includes(align)) return undefined;
  const line = writeHtmlLine(node.content ?? []);
  const html = line === undefined ? undefined : `<${tag} align="${align}">${line}</${tag}>`;
  return html === undefined || html.length > MAX_HTML_CHARACTERS ? undefined : html;
}

function writeParagraph(node: Node, ctx: WriteContext): string {
  const aligned = writeAligned("p", node);
  warnLostAttrs(ctx, node, aligned === undefined ? [] : ["textAlign"]);
  if (aligned !== undefined) return aligned;
  if (isEmptyParagraph(node)) return emptyParagraph;
  const text = writeInline(node.content, ctx, "paragraph");
  if (looksLikeBlock(node.content!)) return text + separator;
  return looksLikeDefinition.test(text) ? lineGuard + text : text;
}

/** A link whose text has `]:` in it, in code or a formula, would be read as the definition of a reference. */
const looksLikeDefinition = /^\[(?:[^[\]\\]|\\[\s\S])*\]:/;

/** A picture or file alone in a paragraph is read as a block of its own; an empty comment beside it says otherwise. */
function looksLikeBlock(content: readonly Node[]): boolean {
  if (defined(content[0]).text && !defined(content[0]).marks) return false;
  const shown = content.filter((child) => child.text !== "");
  const [only] = shown;
  if (shown.length === 1 && defined(only).type === "inlineImage")
    return !defined(only).marks?.some((mark) => mark.type === "link");
  const link = only?.marks?.find((mark) => mark.type === "link");
  return link?.attrs?.title === "attachment" && attachmentIdOf(str(link.attrs.href)) !== null;
}

function writeHeading(node: Node, ctx: WriteContext): string {
  const level = Math.min(6, Math.max(1, Number(node.attrs?.level) || 1));
  const aligned = writeAligned(`h${level}`, node);
  warnLostAttrs(ctx, node, aligned === undefined ? ["level"] : ["level", "textAlign"]);
  if (aligned !== undefined) return aligned;
  const text = writeInline(node.content, ctx, "line");
  const ended = text.endsWith("#") && /(?:^|[ \t])#+$/.test(text) ? `${text.slice(0, -1)}\\#` : text;
  return ended === "" ? "#".repeat(level) : `${"#".repeat(level)} ${ended}`;
}

/** Characters that a line of verbatim text cannot hold. */
function verbatim(text: string, node: Node, ctx: WriteContext): string {
  if (!/[\r\0]/.test(text)) return text;
  warn(ctx, "character_replaced", node.type, "Carriage returns and NUL characters were replaced.");
  return text.replace(/\r\n?/g, "\n").replaceAll("\0", "\uFFFD");
}

/** A code language that is written as it is. */
export const PLAIN_LANGUAGE = /^[\w.+#-]*$/;

function codeInfo(node: Node, ctx: WriteContext): string {
  const language = str(node.attrs?.language);
  if (!node.attrs?.meta && PLAIN_LANGUAGE.test(language)) return language;
  const info = language === "" ? "" : `${language} ${str(node.attrs?.meta)}`.trim();
  const isSayable = language === "" || (/^\S+$/.test(language) && !/[\0\r\n]/.test(info));
  if (!isSayable) warn(ctx, "value_replaced", node.type, "A code language cannot contain white space.");
  const written = isSayable ? info : info.replace(/[\0\s]+/g, "-");
  return written.replace(/[\\]|&(?=#[0-9xX]|[A-Za-z][A-Za-z0-9]*;)/g, "\\$&");
}

function writeCode(node: Node, ctx: WriteContext): string {
  warnLostAttrs(ctx, node, ["language", "meta"]);
  const text = verbatim((node.content ?? []).map((child) => child.text ?? "").join(""), node, ctx);
  const info = codeInfo(node, ctx);
  const mark = info.includes("`") ? "~" : "`";
  let length = 3;
  if (text.includes(mark.repeat(3)))
    for (const run of text.match(mark === "`" ? /^[ \t]*`{3,}/gm : /^[ \t]*~{3,}/gm) ?? [])
      length = Math.max(length, run.trimStart().length + 1);
  const fence = mark.repeat(length);
  return `${fence}${info}\n${text === "" ? "" : `${text}\n`}${fence}`;
}

function writeMath(node: Node, ctx: WriteContext): string {
  warnLostAttrs(ctx, node, ["latex"]);
  const latex = verbatim(str(node.attrs?.latex), node, ctx);
  let length = 2;
  for (const run of latex.match(/^[^\S\n]*\${2,}[^\S\n]*$/gm) ?? []) length = Math.max(length, run.trim().length + 1);
  const fence = "$".repeat(length);
  return `${fence}\n${latex === "" ? "" : `${latex}\n`}${fence}`;
}

function writePicture(node: Node, ctx: WriteContext): string {
  warnLostAttrs(ctx, node, pictureNames(node));
  return writeImage(node);
}

function writeAttachment(node: Node, ctx: WriteContext): string {
  warnLostAttrs(ctx, node, ["attachmentId", "name", "src"]);
  const url = attachmentUrl(str(node.attrs?.attachmentId));
  const place = { lineStart: false, first: true, inLink: true, dollars: true, oneLine: true };
  const name = escapeText(str(node.attrs?.name), place);
  if (attachmentIdOf(url)) return `[${name.replace(/^\^/, "\\^")}](${url} ${linkTitle("attachment")})`;
  warn(ctx, "reference_unresolved", node.type, "A file without a valid attachment id is written as its name.");
  return name.trim() === ""
    ? emptyParagraph
    : writeInline([{ type: "text", text: str(node.attrs?.name) }], ctx, "paragraph");
}

const calloutKinds = ["note", "tip", "important", "warning", "caution"];

function writeCallout(node: Node, ctx: WriteContext): string {
  warnLostAttrs(ctx, node, ["kind"]);
  const kind = str(node.attrs?.kind);
  if (!calloutKinds.includes(kind)) warn(ctx, "value_replaced", node.type, "The callout's kind was written as note.");
  const marker = `[!${(calloutKinds.includes(kind) ? kind : "note").toUpperCase()}]`;
  const text = writeChildren(node, ctx, 1);
  if (text === "") return quote(marker);
  const first = defined(node.content)[0]!;
  // A row of `=` right under the marker would make a heading of it.
  const isNext = first.type === "paragraph" && !isEmptyParagraph(first) && !text.startsWith("=");
  const gap = isNext ? "\n" : "\n\n";
  return quote(marker + gap + text);
}

function writeDetails(node: Node, ctx: WriteContext): string {
  warnLostAttrs(ctx, node, ["open"]);
  const summaries = (node.content ?? []).filter((child) => child.type === "detailsSummary");
  const contents = (node.content ?? []).filter((child) => child.type === "detailsContent");
  for (const part of [...summaries, ...contents]) warnLostAttrs(inBlock(ctx, part), part, []);
  if (summaries.length !== 1 || contents.length !== 1)
    warn(ctx, "value_replaced", node.type, "Details are written with one summary and one content.");
  const summary = writeInline(
    summaries.flatMap((part) => part.content ?? []),
    ctx,
    "line",
  );
  const content = { ...node, content: contents.flatMap((part) => part.content ?? []) };
  const { text, end } = writeContent(content, ctx, 1);
  const head = `<details${node.attrs?.open === true ? " open" : ""}>\n<summary>${summary}</summary>`;
  return text === "" ? `${head}\n\n</details>` : `${head}\n\n${text}${gapBetween(end, "")}</details>`;
}

function writeFootnote(node: Node, ctx: WriteContext): string {
  warnLostAttrs(ctx, node, ["label"]);
  const label = str(node.attrs?.label);
  const isLabel = footnoteLabel.test(label);
  if (!isLabel) warn(ctx, "value_replaced", node.type, "A footnote label that Markdown cannot write was replaced.");
  const head = `[^${isLabel ? label : label.replace(/[^\p{L}\p{N}_]+/gu, "_").slice(0, 90) || "_"}]:`;
  const text = writeChildren(node, ctx, 1);
  if (text === "") return head;
  const first = defined(node.content)[0]!;
  const isInline = first.type === "paragraph" && !isEmptyParagraph(first);
  return indent(`${head}${isInline ? " " : "\n"}${text}`, 4);
}

/** HTML as it was written; what would not be read as one block of it is shown as code. */
function writeRawHtml(node: Node, ctx: WriteContext): string {
  warnLostAttrs(ctx, node, ["html"]);
  const html = str(node.attrs?.html).replace(/^[ \t]+/, "");
  const [token, ...more] = tokenize(html);
  const isOne = token?.type === "html_block" && more.length === 0 && token.content === html;
  if (isOne && !emptyComment.test(html) && readAnchor(html) === null && html !== emptyParagraph) {
    warn(ctx, "raw_html", node.type, "HTML without a node of its own is kept as it was written.");
    return html;
  }
  warn(ctx, "value_replaced", node.type, "HTML that is not one block is shown as code.");
  return writeCode({ type: "codeBlock", attrs: { language: "html" }, content: [{ type: "text", text: html }] }, ctx);
}

function writeVideo(node: Node, ctx: WriteContext): string {
  warn(ctx, "value_replaced", node.type, "A video is written as a link.");
  const src = str(node.attrs?.src);
  const link = { type: "link", attrs: { href: src } };
  return src === "" ? emptyParagraph : writeInline([{ type: "text", text: src, marks: [link] }], ctx, "paragraph");
}

const writers: Readonly<Record<string, Writer>> = lookupTable({
  paragraph: writeParagraph,
  heading: writeHeading,
  bulletList: (node, ctx) => writeList(node, ctx, blockWriters),
  orderedList: (node, ctx) => writeList(node, ctx, blockWriters),
  taskList: (node, ctx) => writeList(node, ctx, blockWriters),
  blockquote: (node: Node, ctx: WriteContext) => {
    warnLostAttrs(ctx, node, []);
    return quote(writeChildren(node, ctx, 1));
  },
  codeBlock: writeCode,
  horizontalRule: (node: Node, ctx: WriteContext) => {
    warnLostAttrs(ctx, node, []);
    return "---";
  },
  image: writePicture,
  table: writeTable,
  callout: writeCallout,
  details: writeDetails,
  blockMath: writeMath,
  attachment: writeAttachment,
  footnoteDefinition: writeFootnote,
  rawHtml: writeRawHtml,
  youtube: writeVideo,
});

/** One block as Markdown, without a line end. */
export function writeBlock(node: Node, ctx: WriteContext): string {
  const write = writers[node.type];
  if (write) return write(node, ctx);
  warn(ctx, "value_replaced", node.type, "A node of this type has no Markdown form; its content was written.");
  const inline = node.content?.every((child) => child.type === "text");
  if (!node.content || inline)
    return writeParagraph({ type: "paragraph", ...(node.content && { content: node.content }) }, ctx);
  return writeChildren(node, ctx, 1) || emptyParagraph;
}

const blockWriters: BlockWriters = { writeBlock, writeChildren };
