import { defined } from "../defined.ts";
import { htmlToBlocks } from "../html/raw/to-blocks.ts";
import { lookupTable } from "../lookup-table.ts";
import { joinText } from "../schema/normalise.ts";
import type { Attrs, Mark, Node } from "../types.ts";
import { readAnchor } from "./anchor-comment.ts";
import { attachmentIdOf } from "./attachment-url.ts";
import { sortMarks } from "./marks.ts";
import { emptyComment, pictureAttrs, readInline } from "./parse-inline.ts";
import type { DetailsMeta } from "./rules/details.ts";
import type { CalloutMeta } from "./rules/task-callout.ts";
import { type Token, unescapeAll } from "./tokenizer.ts";

/** A position in the token list. Readers advance it past the tokens that they read. */
interface Cursor {
  readonly tokens: readonly Token[];
  pos: number;
}

/** An anchor comment: the id it names and the line after it. */
export interface Anchor {
  readonly id: string;
  readonly line: number;
}
/** Receives each top-level block, the anchor right before it, and its first line. */
type BlockListener = (block: Node, anchor: Anchor | null, line: number) => void;

type Reader = (cursor: Cursor, token: Token) => Node | readonly Node[] | null;

/** Creates a node with its keys in the order of canonical JSON, so that storing it needs no sorting. */
function node(type: string, attrs: Attrs | null, content: readonly Node[]): Node {
  if (content.length === 0) return attrs ? { attrs, type } : { type };
  return attrs ? { attrs, content, type } : { content, type };
}

/** A new object each time: anchors compare blocks by identity. */
const emptyParagraph = (): Node => ({ type: "paragraph" });
const orEmpty = (blocks: readonly Node[]): readonly Node[] => (blocks.length > 0 ? blocks : [emptyParagraph()]);

/** Whether a task is done; undefined for an item that is not a task. */
function checkedIn({ meta }: Token): boolean | undefined {
  return typeof meta?.checked === "boolean" ? meta.checked : undefined;
}

/** Reads the token at the cursor into `blocks`; it may produce no block, one, or several. */
function readInto(cursor: Cursor, blocks: Node[]): void {
  const token = cursor.tokens[cursor.pos++]!;
  const read = readers[token.type]?.(cursor, token);
  if (!read) return;
  if ("type" in read) blocks.push(read);
  else for (const block of read) blocks.push(block);
}

/** Reads blocks up to the token `end` (a token or a type), and moves past it. */
function readUntil(cursor: Cursor, end: string | Token): Node[] {
  const blocks: Node[] = [];
  while (cursor.pos < cursor.tokens.length) {
    const token = cursor.tokens[cursor.pos]!;
    if (token === end || token.type === end) break;
    readInto(cursor, blocks);
  }
  cursor.pos++;
  return blocks;
}

function readLine(cursor: Cursor, softBreak?: string): Node[] {
  const token = cursor.tokens[cursor.pos]!;
  cursor.pos += 2;
  return readInline(token.children ?? [], softBreak);
}

/** `[name](/api/v1/attachments/att_… "attachment")` alone in its paragraph is a file. */
function readAttachment(children: readonly Token[]): Node | null {
  const open = children[0];
  if (open?.type !== "link_open" || open.attrGet("title") !== "attachment") return null;
  const attachmentId = attachmentIdOf(String(open.attrGet("href")));
  if (!attachmentId || children.at(-1)?.type !== "link_close") return null;
  const name = children.slice(1, -1);
  if (!name.every((token) => token.type === "text" || token.type === "text_special")) return null;
  return node("attachment", { attachmentId, name: name.map((token) => token.content).join("") }, []);
}

function readParagraph(cursor: Cursor): Node {
  const children = defined(cursor.tokens[cursor.pos]).children ?? [];
  const picture = children.length === 1 ? pictureAttrs(children[0]!) : null;
  if (picture) {
    cursor.pos += 2;
    return node("image", picture, []);
  }
  const attachment = readAttachment(children);
  if (!attachment) return node("paragraph", null, readLine(cursor));
  cursor.pos += 2;
  return attachment;
}

const splitInfo = (raw: string): Attrs | null => {
  const match = /^(\S+)(?:\s+([\s\S]*))?$/.exec(unescapeAll(raw).trim());
  if (!match) return null;
  return { language: match[1]!, ...(match[2] && { meta: match[2] }) };
};

const codeBlock = (attrs: Attrs | null, content: string): Node => {
  const text = content.endsWith("\n") ? content.slice(0, -1) : content;
  return node("codeBlock", attrs, text === "" ? [] : [{ text, type: "text" }]);
};

/** Reads the items of a list and whether each is a task; tasks and other items become separate lists. */
function readItems(cursor: Cursor, end: string): { readonly task: boolean; readonly item: Node }[] {
  const items: { task: boolean; item: Node }[] = [];
  while (cursor.tokens[cursor.pos]?.type === "list_item_open") {
    const checked = checkedIn(defined(cursor.tokens[cursor.pos++]));
    const blocks = checked === undefined ? readUntil(cursor, "list_item_close") : readTask(cursor);
    const item = node(
      checked === undefined ? "listItem" : "taskItem",
      checked === undefined ? null : { checked },
      orEmpty(blocks),
    );
    items.push({ task: checked !== undefined, item });
  }
  if (cursor.tokens[cursor.pos]?.type === end) cursor.pos++;
  return items;
}

/** Reads a task's blocks. A first line with only an empty comment carries the checkbox and is no paragraph. */
function readTask(cursor: Cursor): Node[] {
  const [first, ...more] = defined(cursor.tokens[cursor.pos + 1]).children ?? [];
  if (first?.type === "html_inline" && more.length === 0 && emptyComment.test(first.content)) cursor.pos += 3;
  return readUntil(cursor, "list_item_close");
}

function readBulletList(cursor: Cursor): Node[] {
  const lists: { task: boolean; items: Node[] }[] = [];
  for (const { task, item } of readItems(cursor, "bullet_list_close")) {
    if (lists.at(-1)?.task !== task) lists.push({ task, items: [] });
    defined(lists.at(-1)).items.push(item);
  }
  return lists.map(({ task, items }) => node(task ? "taskList" : "bulletList", null, items));
}

function readOrderedList(cursor: Cursor, token: Token): Node {
  const start = token.attrGet("start");
  const items = readItems(cursor, "ordered_list_close").map(({ item }) => item);
  return node("orderedList", start === null ? null : { start: Number(start) }, items);
}

function readQuote(cursor: Cursor, token: Token): Node {
  const { kind, bare, title, fold }: Partial<CalloutMeta> = token.meta ?? {};
  if (bare === true) cursor.pos += 3;
  const blocks = readUntil(cursor, "blockquote_close");
  if (kind === undefined) return node("blockquote", null, orEmpty(blocks));
  const line = readInline(title?.children ?? []);
  if (fold) return details(fold === "open", line, [node("callout", { kind }, orEmpty(blocks))]);
  const head = line.length === 0 ? [] : [node("paragraph", null, inBold(line))];
  return node("callout", { kind }, orEmpty([...head, ...blocks]));
}

const bold: Mark = { type: "bold" };

/** Makes a line bold and keeps its other marks. */
const inBold = (line: readonly Node[]): readonly Node[] =>
  joinText(
    line.map(({ attrs, marks = [], ...rest }) => ({
      ...(attrs && { attrs }),
      marks: marks.some(({ type }) => type === "bold") ? marks : sortMarks([...marks, bold]),
      ...rest,
    })),
  );

function readTable(cursor: Cursor): Node {
  const rows: Node[] = [];
  let cells: Node[] = [];
  for (; cursor.tokens[cursor.pos]?.type !== "table_close"; cursor.pos++) {
    const token = cursor.tokens[cursor.pos]!;
    if (token.type === "tr_open") cells = [];
    else if (token.type === "tr_close") rows.push(node("tableRow", null, cells));
    else if (token.type === "th_open" || token.type === "td_open")
      cells.push(readCell(token, cursor.tokens[cursor.pos + 1]!));
  }
  cursor.pos++;
  return node("table", null, rows);
}

function readCell(token: Token, inline: Token): Node {
  const align = /text-align:(\w+)/.exec(String(token.attrGet("style") ?? ""))?.[1];
  const content = [node("paragraph", null, readInline(inline.children ?? []))];
  return node(token.type === "th_open" ? "tableHeader" : "tableCell", align ? { align } : null, content);
}

function readDetails(cursor: Cursor, token: Token): Node {
  const { open = false, close, summary }: Partial<DetailsMeta> = token.meta ?? {};
  const content = orEmpty(readUntil(cursor, defined(close)));
  return details(open, readInline(summary?.children ?? []), content);
}

const details = (open: boolean, summary: readonly Node[], content: readonly Node[]): Node =>
  node("details", open ? { open } : null, [
    node("detailsSummary", null, summary),
    node("detailsContent", null, content),
  ]);

/**
 * Converts HTML to blocks if they can represent all of it; otherwise keeps it unchanged. `<p></p>` is an empty
 * paragraph. An empty comment and an anchor produce no block.
 */
function readHtml(_cursor: Cursor, token: Token): readonly Node[] {
  const text = token.content.trim();
  if (emptyComment.test(text) || readAnchor(text) !== null) return [];
  if (text === "<p></p>") return [emptyParagraph()];
  const blocks = htmlToBlocks(text);
  if (blocks && blocks.length > 0) return blocks;
  return [node("rawHtml", { html: trimHtml(token.content) }, [])];
}

/** Removes leading white space, whose meaning depends on the position, and trailing blank lines. */
function trimHtml(text: string): string {
  let end = text.length;
  for (let at = end; /[ \t\n]/.test(text.charAt(at - 1)); at--) if (text[at - 1] === "\n") end = at - 1;
  return text.slice(0, end).replace(/^[ \t\n]+/, "");
}

const readers: Readonly<Record<string, Reader>> = lookupTable({
  paragraph_open: readParagraph,
  heading_open: (cursor: Cursor, token: Token) =>
    node("heading", { level: Number(token.tag[1]) }, readLine(cursor, " ")),
  hr: () => node("horizontalRule", null, []),
  fence: (_: Cursor, token: Token) => codeBlock(splitInfo(token.info), token.content),
  code_block: (_: Cursor, token: Token) => codeBlock(null, token.content),
  math_block: (_: Cursor, token: Token) => node("blockMath", { latex: token.content }, []),
  html_block: readHtml,
  details: readDetails,
  bullet_list_open: readBulletList,
  ordered_list_open: readOrderedList,
  blockquote_open: readQuote,
  table_open: readTable,
  footnote_open: (cursor: Cursor, token: Token) =>
    node("footnoteDefinition", { label: token.info }, orEmpty(readUntil(cursor, "footnote_close"))),
});

/** Maps tokens to blocks and ignores anchors. */
export const readBlocks = (tokens: readonly Token[]): Node[] => readUntil({ tokens, pos: 0 }, "");

/** Maps tokens to blocks, and reports each top-level block with the anchor before it. */
export function readAnchoredBlocks(tokens: readonly Token[], onBlock: BlockListener): void {
  const cursor: Cursor = { tokens, pos: 0 };
  let anchor: Anchor | null = null;
  // An anchor without a block belongs to a block whose text was deleted: an empty paragraph takes its place.
  const flush = (): void => {
    if (anchor) onBlock(emptyParagraph(), anchor, anchor.line);
    anchor = null;
  };
  while (cursor.pos < tokens.length) {
    const token = tokens[cursor.pos]!;
    const id = token.type === "html_block" ? readAnchor(token.content) : null;
    if (id !== null) {
      flush();
      anchor = { id, line: defined(token.map)[1] };
      cursor.pos++;
      continue;
    }
    const blocks: Node[] = [];
    readInto(cursor, blocks);
    for (const block of blocks) {
      onBlock(block, anchor, token.map?.[0] ?? 0);
      anchor = null;
    }
  }
  flush();
}
