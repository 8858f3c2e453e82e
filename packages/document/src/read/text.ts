import { defined } from "../defined.ts";
import { textOfHtml } from "../html/raw/pieces.ts";
import { lookupTable } from "../lookup-table.ts";
import { isBody } from "../schema/node.ts";
import type { Body, Node } from "../types.ts";

/**
 * The text a reader sees, without marks. Blocks are set apart by a blank line at the top level and a line break below
 * it, cells of a row by a tab. A formula gives its LaTeX, a picture its alternative text, a file its name.
 */
export function plainText(node: Node | Body): string {
  if (node.type === "text") return node.text ?? "";
  const leaf = leafText[node.type];
  if (leaf && !isBody(node)) return leaf(node);
  const content = node.content;
  if (content === undefined || content.length === 0) return "";
  if (content.length === 1) return plainText(defined(content[0]));
  let text = plainText(defined(content[0]));
  const between = separator(node.type, defined(content[0]).type);
  for (let i = 1; i < content.length; i++) text += between + plainText(defined(content[i]));
  return text;
}

const leafText: Readonly<Record<string, ((node: Node) => string) | undefined>> = lookupTable<
  ((node: Node) => string) | undefined
>({
  hardBreak: () => "\n",
  inlineMath: (node) => attr(node, "latex"),
  blockMath: (node) => attr(node, "latex"),
  image: (node) => attr(node, "alt"),
  inlineImage: (node) => attr(node, "alt"),
  attachment: (node) => attr(node, "name"),
  rawHtml: (node) => textOfHtml(attr(node, "html")),
  inlineRawHtml: () => "",
  mention: (node) => `@${attr(node, "label") || attr(node, "id")}`,
  emoji: (node) => emojiText(node),
  youtube: (node) => attr(node, "src"),
  footnoteReference: (node) => `[^${attr(node, "label")}]`,
});

/** An emoji as itself, or by its name where the editor kept only that. */
export const emojiText = (node: Node): string => attr(node, "emoji") || `:${attr(node, "name")}:`;

function attr(node: Node, name: string): string {
  const value = node.attrs?.[name];
  return typeof value === "string" ? value : "";
}

const lineTypes: ReadonlySet<string> = new Set(["paragraph", "heading", "codeBlock", "detailsSummary"]);

function separator(parent: string, firstChild: string): string {
  if (parent === "doc") return "\n\n";
  if (parent === "tableRow") return "\t";
  return lineTypes.has(parent) || firstChild === "text" ? "" : "\n";
}

/** Code points of all text nodes: what a document's size limit is about. */
export function characterCount(node: Node | Body): number {
  if (node.type === "text") return codePoints(node.text ?? "");
  let count = 0;
  if (node.content) for (const child of node.content) count += characterCount(child);
  return count;
}

/** Code points of a string; a lone surrogate counts as one. */
export function codePoints(text: string): number {
  let count = text.length;
  // Told by the engine much faster than by a loop, and at once of a text in Latin script.
  if (!surrogate.test(text)) return count;
  for (let i = 0; i < text.length - 1; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      count--;
      i++;
    }
  }
  return count;
}

/** The beginning of a text on one line, at most `length` code points, never cutting a character in two. */
export function excerpt(text: string, length = 200): string {
  const start = text.trimStart();
  if (start.length > length * 2) {
    // Nearly always enough, and much less to look at.
    const short = oneLine(start.slice(0, length * 2));
    if (short.length > length && !surrogate.test(short)) return short.slice(0, length);
  }
  const line = oneLine(start.slice(0, length * 8)).trimEnd();
  if (line.length <= length) return line;
  return Array.from(line.slice(0, length * 2))
    .slice(0, length)
    .join("");
}

const surrogate = /[\ud800-\udfff]/;
const notOneLine = /[^\S ]| {2}/u;
/** Most texts are on one line already, and checking that is much faster than writing them again. */
const oneLine = (text: string): string => (notOneLine.test(text) ? text.replace(/\s+/gu, " ") : text);
