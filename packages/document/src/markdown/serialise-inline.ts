import { defined } from "../defined.ts";
import { emojiText } from "../read/text.ts";
import type { Attrs, Json, Mark, Node } from "../types.ts";
import { isCommentBetween } from "./comment-text.ts";
import { joinPieces, type Piece } from "./emphasis.ts";
import { escapeText, guardEnds, hasPlainEnds, linkDestination, linkTitle, type TextPlace } from "./escape.ts";
import { type InlineRun, inlineRuns } from "./inline-runs.ts";
import { footnoteLabel } from "./rules/footnote.ts";
import { beginsHtmlBlock, isBlockAlone } from "./rules/html-block.ts";
import { plainAddress, type WholeLink, wholeLink, wikiLink, writeImage } from "./serialise-wiki.ts";
import { charClass, tokenizeBlocks } from "./tokenizer.ts";
import { trimBlanks } from "./trim.ts";
import { type WriteContext, warn } from "./warning.ts";

const tags: Readonly<Record<string, string>> = {
  underline: "u",
  highlight: "mark",
  subscript: "sub",
  superscript: "sup",
  kbd: "kbd",
};
const delimiters: Readonly<Record<string, readonly [delimiter: string, tag: string]>> = {
  bold: ["**", "strong"],
  italic: ["*", "em"],
  strike: ["~~", "s"],
};
export const separator = "<!-- -->";

/** The state of writing one line of inline content. */
interface Writer {
  readonly ctx: WriteContext;
  readonly oneLine: boolean;
  readonly dollars: boolean;
  readonly pieces: Piece[];
  readonly stack: { readonly key: string; readonly mark: Mark; readonly piece: Piece }[];
  /** The next token is at the beginning of a line. */
  lineStart: boolean;
  inLink: boolean;
}

const str = (value: Json | undefined): string => (typeof value === "string" ? value : "");

function put(out: Writer, text: string): void {
  if (text === "") return;
  out.pieces.push({ text });
  out.lineStart = text.endsWith("\n");
}

const lastText = (out: Writer): string => out.pieces.at(-1)?.text ?? "";

/** A `!` right before `[` would make a picture of it. */
function escapeBang(out: Writer): void {
  const last = out.pieces.at(-1);
  if (last?.text?.endsWith("!")) out.pieces[out.pieces.length - 1] = { text: `${last.text.slice(0, -1)}\\!` };
}

function openMark(out: Writer, mark: Mark, key: string): void {
  const delimiter = delimiters[mark.type];
  let piece: Piece;
  if (mark.type === "link") {
    escapeBang(out);
    piece = { text: "[" };
    out.inLink = true;
  } else if (delimiter) piece = { open: true, delimiter: delimiter[0], tag: delimiter[1] };
  else piece = { text: `<${tags[mark.type]}>` };
  out.pieces.push(piece);
  out.stack.push({ key, mark, piece });
  out.lineStart = false;
}

function closeMark(out: Writer): void {
  const { mark, piece } = out.stack.pop()!;
  if (mark.type === "link") {
    out.inLink = false;
    const title = str(mark.attrs?.title);
    const address = plainAddress(str(mark.attrs?.href));
    if (address !== str(mark.attrs?.href))
      warn(out.ctx, "value_replaced", mark.type, "A link by name whose text does not fit into [[ ]] names a file.");
    out.pieces.push({ text: `](${linkDestination(address)}${title ? ` ${linkTitle(title)}` : ""})` });
  } else if (piece.delimiter) {
    piece.closing = out.pieces.length;
    out.pieces.push({ open: false, delimiter: piece.delimiter, tag: piece.tag!, partner: piece });
  } else out.pieces.push({ text: `</${tags[mark.type]}>` });
}

/** Closes and opens marks until the open ones are those of the run; those that last longest go outside. */
function switchMarks(out: Writer, marks: InlineRun["marks"]): void {
  let keep = 0;
  while (keep < out.stack.length && marks.has(defined(out.stack[keep]).key)) keep++;
  while (out.stack.length > keep) closeMark(out);
  if (marks.size === keep) return;
  if (marks.size === 1) {
    for (const [key, { mark }] of marks) openMark(out, mark, key);
    return;
  }
  const isOpen = (key: string) => out.stack.some((entry) => entry.key === key);
  const missing = [...marks].filter(([key]) => !isOpen(key)).sort(([, a], [, b]) => b.until - a.until);
  for (const [key, { mark }] of missing) openMark(out, mark, key);
}

/** At the beginning of a block a tag alone in its line could be read as a block of HTML. */
const followsText = ({ lineStart, pieces, stack }: Writer): boolean =>
  !lineStart && pieces.length > stack.length && !/[ \t\n]$/.test(pieces.at(-1)?.text ?? "");

const mayBeginLine = (next: InlineRun | undefined): boolean =>
  next !== undefined && next.node?.type !== "hardBreak" && !/^\s/.test(next.text ?? "");

const textPlace = (out: Writer, next?: InlineRun): TextPlace => ({
  follows: followsText(out),
  goesOn: mayBeginLine(next),
  lineStart: out.lineStart,
  first: out.pieces.length === 0,
  inLink: out.inLink,
  dollars: out.dollars,
  oneLine: out.oneLine,
});

function writeText(out: Writer, run: InlineRun, next?: InlineRun): void {
  const text = run.text!;
  if (text.includes("\0")) warn(out.ctx, "character_replaced", "text", "A NUL character was replaced.");
  let escaped = escapeText(text, textPlace(out, next));
  if (escaped[0] === "(" && lastText(out).endsWith("]]")) escaped = `\\${escaped}`;
  if (out.inLink && lastText(out) === "[" && escaped[0] === "^") escaped = `\\${escaped}`;
  if (escaped[0] === ":" && lastText(out).startsWith("[^")) escaped = `\\${escaped}`;
  put(out, escaped);
}

/** The shortest row of backticks that does not occur in the text. */
function codeFence(text: string): string {
  const runs = new Set(text.match(/`+/g)?.map((run) => run.length));
  let length = 1;
  while (runs.has(length)) length++;
  return "`".repeat(length);
}

function writeCode(out: Writer, run: InlineRun): void {
  const text = run.text!;
  if (/[\n\r\0]/.test(text)) {
    out.pieces.push({ text: "<code>" });
    out.lineStart = false;
    put(out, escapeText(text, { ...textPlace(out), follows: true, goesOn: true }));
    out.pieces.push({ text: "</code>" });
    return;
  }
  const fence = codeFence(text);
  const isSpaced = text.startsWith(" ") && text.endsWith(" ") && /[^ ]/.test(text);
  const pad = isSpaced || text.startsWith("`") || text.endsWith("`") ? " " : "";
  put(out, fence + pad + text + pad + fence);
}

function writeBreak(out: Writer, next: InlineRun | undefined): void {
  const canBreak =
    !out.oneLine &&
    next !== undefined &&
    next.node?.type !== "hardBreak" &&
    next.node?.type !== "inlineRawHtml" &&
    !/^\s/.test(next.text ?? "");
  put(out, canBreak ? "\\\n" : "<br>");
}

const isPlainMath = (latex: string): boolean =>
  /^[^$\s`](?:[^$]*[^$\s])?$/.test(latex) && !/(?:^|[^\\])(?:\\\\)*\\$/.test(latex);

/** A formula means the same with spaces for line ends. */
const onOneLine = (latex: string): string =>
  /[\r\n]/.test(latex)
    ? latex
        .split(/[\r\n]+/)
        .map(trimBlanks)
        .join(" ")
    : latex;

function writeMath(out: Writer, node: Node, next: InlineRun | undefined): void {
  const latex = onOneLine(str(node.attrs?.latex));
  if (latex !== node.attrs?.latex) warn(out.ctx, "value_replaced", node.type, "Line ends in a formula were replaced.");
  const last = out.pieces.at(-1);
  const before = last?.text?.at(-1) ?? " ";
  if (before === "$") put(out, separator);
  const plain =
    isPlainMath(latex) && charClass(before.charCodeAt(0)) !== "word" && !/^[A-Za-z0-9]/.test(next?.text ?? "");
  if (plain) put(out, `$${latex}$`);
  else if (!latex.includes("`$")) put(out, `$\`${latex}\`$`);
  else {
    warn(out.ctx, "value_replaced", node.type, "The formula could not be written as one and is shown as code.");
    writeCode(out, { text: latex, code: true, marks: new Map() });
  }
}

function writeFootnote(out: Writer, node: Node): void {
  const label = str(node.attrs?.label);
  if (footnoteLabel.test(label)) {
    escapeBang(out);
    put(out, `[^${label}]`);
    return;
  }
  warn(out.ctx, "value_replaced", node.type, "A footnote label that Markdown cannot write is shown as text.");
  put(out, escapeText(`[^${label}]`, textPlace(out)));
}

/** One tag, comment, instruction, declaration or CDATA section, as CommonMark reads them in a line. */
const oneTag = new RegExp(
  `^(?:${[
    "<[A-Za-z][A-Za-z0-9-]*(?:\\s+[A-Za-z_:][A-Za-z0-9:._-]*(?:\\s*=\\s*(?:[^\"'=<>`\\0-\\x20]+|'[^']*'|\"[^\"]*\"))?)*\\s*\\/?>",
    "<\\/[A-Za-z][A-Za-z0-9-]*\\s*>",
    "<!---?>|<!--(?:[^-]|-[^-]|--[^>])*-->",
    "<\\?(?:(?!\\?>)[\\s\\S])*\\?>",
    "<![A-Za-z][^>]*>",
    "<!\\[CDATA\\[(?:(?!\\]\\]>)[\\s\\S])*\\]\\]>",
  ].join("|")})$`,
);

/** Reads as nothing, and keeps what follows from beginning a block. */
export const lineGuard = "[]()";

/** Whether a tag of several lines is one in this place: a line of it may begin a block of its own. */
function mayHoldLines(out: Writer, html: string): boolean {
  const [, inline, , ...more] = tokenizeBlocks(`x${html}`);
  return !out.oneLine && inline?.content === `x${html}` && more.length === 0;
}

/** Keeps the next tag from beginning a block. The guard is a link, which a link cannot hold. */
function guardLine(out: Writer): void {
  const last = out.pieces.at(-1);
  if (!out.inLink) put(out, lineGuard);
  else if (last?.text?.endsWith("\n")) out.pieces[out.pieces.length - 1] = { text: `${last.text.slice(0, -1)}&#10;` };
}

/** A tag or comment as it was written; what would not be read as one tag is text. */
function writeRaw(out: Writer, node: Node, next: InlineRun | undefined): void {
  const html = str(node.attrs?.html);
  const isPiece = oneTag.test(html) || isCommentBetween(lastText(out), html, next?.text ?? "");
  const isTag = isPiece && !/[\r\0]/.test(html) && (!html.includes("\n") || mayHoldLines(out, html));
  if (isTag && html !== separator) {
    warn(out.ctx, "raw_html", node.type, "HTML without a node of its own is kept as it was written.");
    const isAlone = out.pieces.length === 0 && isBlockAlone(html) && (!next || next.text?.startsWith("\n"));
    if (out.lineStart && !out.oneLine && (beginsHtmlBlock(html) || isAlone)) guardLine(out);
    put(out, html);
    return;
  }
  warn(out.ctx, "value_replaced", node.type, "HTML that is not one tag is shown as text.");
  if (html !== "") put(out, escapeText(html, textPlace(out)));
}

function writeMention(out: Writer, node: Node): void {
  const label = str(node.attrs?.label) || str(node.attrs?.id);
  escapeBang(out);
  const name = escapeText(`@${label}`, { ...textPlace(out), inLink: true, lineStart: false, oneLine: true });
  put(out, out.inLink ? name : `[${name}](${linkDestination(`svc://user/${str(node.attrs?.id)}`)})`);
}

function writeRun(out: Writer, run: InlineRun, next: InlineRun | undefined): void {
  const node = run.node;
  if (node === undefined) (run.code ? writeCode : writeText)(out, run, next);
  else if (node.type === "hardBreak") writeBreak(out, next);
  else if (node.type === "inlineMath") writeMath(out, node, next);
  else if (node.type === "footnoteReference") writeFootnote(out, node);
  else if (node.type === "inlineImage") put(out, writeImage(node));
  else if (node.type === "inlineRawHtml") writeRaw(out, node, next);
  else if (node.type === "mention") writeMention(out, node);
  else if (node.type === "emoji") writeText(out, { ...run, text: emojiText(node) });
}

const urlAutolink = /^[a-zA-Z][a-zA-Z0-9+.-]{1,31}:[^<>\s\0-\x20]*$/;
const mailAutolink =
  /^[a-zA-Z0-9.+_-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;

/** A link whose text is its own address: `<address>`. */
function autolink(run: InlineRun, index: number): WholeLink | null {
  const link = wholeLink(run);
  if (!link || link.until !== index + 1) return null;
  const [href, text] = [str(link.mark.attrs?.href), defined(run.text)];
  if (href === text && urlAutolink.test(href)) return { text: `<${href}>`, marks: link.others };
  return href === `mailto:${text}` && mailAutolink.test(text) ? { text: `<${text}>`, marks: link.others } : null;
}

function hasDollar(attrs: Attrs | undefined): boolean {
  for (const name in attrs) {
    const value = attrs[name];
    if (name.includes("$") || (typeof value === "string" ? value : JSON.stringify(value)).includes("$")) return true;
  }
  return false;
}

const countDollars = (runs: readonly InlineRun[]): boolean => {
  let count = 0;
  for (const run of runs) {
    if (run.node)
      count += run.node.type === "inlineMath" ? 2 : JSON.stringify(run.node.attrs ?? "").split("$").length - 1;
    else if (defined(run.text).includes("$")) count += defined(run.text).split("$").length - 1;
    if (run.marks.size === 0) continue;
    for (const { mark } of run.marks.values()) if (hasDollar(mark.attrs)) count += 2;
  }
  return count > 1;
};

/** The container of inline content: a paragraph, a single line (heading, summary), or a table cell. */
type LineKind = "paragraph" | "line" | "cell";

/** A line of text without any marks, which most lines are. */
function writePlain(text: string, ctx: WriteContext, kind: LineKind): string {
  if (text.includes("\0")) warn(ctx, "character_replaced", "text", "A NUL character was replaced.");
  const dollar = text.indexOf("$");
  const dollars = dollar >= 0 && text.includes("$", dollar + 1);
  const place = { lineStart: true, first: true, inLink: false, dollars, oneLine: kind !== "paragraph" };
  return guardEnds(escapeText(text, place), kind === "cell");
}

/** Inline content as Markdown. */
export function writeInline(content: readonly Node[] | undefined, ctx: WriteContext, kind: LineKind): string {
  if (!content || content.length === 0) return "";
  const [first] = content;
  if (content.length === 1 && defined(first).type === "text" && !defined(first).marks?.length)
    return writePlain(defined(first).text ?? "", ctx, kind);
  const runs = inlineRuns(content, ctx);
  const out: Writer = {
    ctx,
    oneLine: kind !== "paragraph",
    dollars: countDollars(runs),
    pieces: [],
    stack: [],
    lineStart: true,
    inLink: false,
  };
  for (let i = 0; i < runs.length; i++) {
    const run = runs[i]!;
    const link = autolink(run, i) ?? wikiLink(run);
    switchMarks(out, link?.marks ?? run.marks);
    if (link === null) {
      writeRun(out, run, runs[i + 1]);
      continue;
    }
    if (link.text.startsWith("[")) escapeBang(out);
    put(out, link.text);
  }
  while (out.stack.length > 0) closeMark(out);
  const text = joinPieces(out.pieces);
  // Looking at the ends of the pieces leaves the text unjoined: it is copied once, as a part of the whole answer.
  const isReady = hasPlainEnds(out.pieces[0]?.text ?? "*", lastText(out) || "*");
  return isReady ? text : guardEnds(text, kind === "cell");
}
