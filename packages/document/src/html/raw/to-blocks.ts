import { defined } from "../../defined.ts";
import { sortMarks } from "../../markdown/marks.ts";
import { joinText } from "../../schema/normalise.ts";
import type { Attrs, Json, Mark, Node } from "../../types.ts";
import { TEXT_SIDES } from "../style.ts";
import { decodeEntities, type Piece, readPieces } from "./pieces.ts";

/**
 * Converts HTML to blocks if nodes and marks can represent all of it. Returns undefined otherwise, even for a single
 * unknown attribute: the caller then keeps the HTML unchanged.
 */
export function htmlToBlocks(html: string): readonly Node[] | undefined {
  if (html.length > MAX_HTML_CHARACTERS) return undefined;
  const pieces = readPieces(html);
  const tree = pieces && buildTree(pieces);
  if (!tree) return undefined;
  try {
    return readBlocks(tree.children, true);
  } catch (error) {
    if (error instanceof NotOurs) return undefined;
    throw error;
  }
}

/** Longer HTML is unlikely to be written by hand, so it is not converted. */
export const MAX_HTML_CHARACTERS = 200_000;
const MAX_DEPTH = 24;

interface Element {
  readonly name: string;
  readonly attrs: ReadonlyMap<string, string>;
  readonly children: (Element | string)[];
}

/** Thrown for HTML that no node or mark can represent. */
class NotOurs extends Error {}

function buildTree(pieces: readonly Piece[]): Element | undefined {
  const root: Element = { name: "", attrs: new Map(), children: [] };
  const open = [root];
  for (const piece of pieces) {
    const top = defined(open.at(-1));
    if (piece.kind === "comment") return undefined;
    if (piece.kind === "text") top.children.push(piece.text);
    else if (piece.kind === "open") {
      const element = { name: piece.name, attrs: piece.attrs, children: [] };
      top.children.push(element);
      if (piece.void) continue;
      if (open.push(element) > MAX_DEPTH) return undefined;
    } else if (open.length < 2 || defined(open.pop()).name !== piece.name) return undefined;
  }
  return open.length === 1 ? root : undefined;
}

const isBlank = (child: Element | string): boolean => typeof child === "string" && /^[ \t\n\r]*$/.test(child);

/** Reads an element's attributes; throws if it has any except the given ones. */
function read(element: Element, ...names: readonly string[]): (name: string) => string | undefined {
  for (const name of element.attrs.keys()) if (!names.includes(name)) throw new NotOurs();
  return (name) => element.attrs.get(name);
}

const marks: Readonly<Record<string, string>> = {
  b: "bold",
  strong: "bold",
  i: "italic",
  em: "italic",
  u: "underline",
  s: "strike",
  del: "strike",
  code: "code",
  sub: "subscript",
  sup: "superscript",
  mark: "highlight",
  kbd: "kbd",
};

const CELL_SIDES = ["left", "center", "right"];

const node = (type: string, attrs: Attrs, content?: readonly Node[]): Node => ({
  ...(Object.keys(attrs).length > 0 && { attrs }),
  ...(content && content.length > 0 && { content }),
  type,
});

function alignOf(value: string | undefined, sides: readonly string[] = TEXT_SIDES): Attrs {
  if (value === undefined) return {};
  const textAlign = value.toLowerCase();
  if (!sides.includes(textAlign)) throw new NotOurs();
  return { textAlign };
}

const wholeNumber = (value: string): number => {
  if (!/^\d{1,6}$/.test(value)) throw new NotOurs();
  return Number(value);
};

/** A line of text and inline nodes; white space counts as in a browser. */
function readLine(children: readonly (Element | string)[]): readonly Node[] {
  const line: Node[] = [];
  collect(children, [], line);
  // A space written as a character reference does not count as white space, so references are decoded last.
  return trimmed(joinText(line)).map((part) =>
    part.type === "text" ? { ...part, text: decodeEntities(defined(part.text)) } : part,
  );
}

function collect(children: readonly (Element | string)[], open: readonly Mark[], line: Node[]): void {
  for (const child of children) {
    const withMarks = open.length > 0 ? { marks: sortMarks(open) } : {};
    if (typeof child === "string") {
      const after = line.at(-1);
      const joins =
        after === undefined || after.type === "hardBreak" || (after.type === "text" && / $/.test(defined(after.text)));
      const spaced = child.replace(/[ \t\n\r]+/g, " ");
      const text = joins ? spaced.replace(/^ /, "") : spaced;
      if (text !== "") line.push({ ...withMarks, text, type: "text" });
    } else if (child.name === "br") {
      read(child);
      line.push({ ...withMarks, type: "hardBreak" });
    } else if (child.name === "img") line.push({ ...picture(child, "inlineImage"), ...withMarks });
    else if (child.name === "a") {
      const attr = read(child, "href", "title");
      const [href, title] = [attr("href"), attr("title")];
      if (href === undefined) throw new NotOurs();
      collect(child.children, [...open, { type: "link", attrs: title ? { href, title } : { href } }], line);
    } else {
      const type = marks[child.name];
      if (type === undefined) throw new NotOurs();
      read(child);
      collect(child.children, [...open, { type }], line);
    }
  }
}

/** Removes the space at the end of a line. */
function trimmed(line: readonly Node[]): readonly Node[] {
  const last = line.at(-1);
  if (last?.type !== "text" || !defined(last.text).endsWith(" ")) return line;
  const text = defined(last.text).slice(0, -1);
  return text === "" ? line.slice(0, -1) : [...line.slice(0, -1), { ...last, text }];
}

function picture(element: Element, type: string): Node {
  const attr = read(element, "src", "alt", "title", "width", "height");
  const src = attr("src");
  if (!src) throw new NotOurs();
  const attrs: Record<string, Json> = { src };
  for (const name of ["alt", "title"]) if (attr(name)) attrs[name] = defined(attr(name));
  for (const name of ["width", "height"]) {
    const value = attr(name)?.trim().replace(/;$/, "");
    if (value === undefined) continue;
    if (!/^\d{1,6}(?:px|%)?$/.test(value)) throw new NotOurs();
    attrs[name] = /^\d+$/.test(value) ? Number(value) : value;
  }
  return node(type, attrs);
}

const blockNames = /^(?:p|h[1-6]|ul|ol|blockquote|pre|table|hr|details)$/;
const isBlock = (child: Element | string): child is Element => typeof child !== "string" && blockNames.test(child.name);

/** Blocks of a container. A run of inline content is a paragraph, except at the top, where it belongs to a block. */
function readBlocks(children: readonly (Element | string)[], isTop = false): readonly Node[] {
  const blocks: Node[] = [];
  let line: (Element | string)[] = [];
  const flush = () => {
    if (!line.every(isBlank)) {
      if (isTop) throw new NotOurs();
      blocks.push(node("paragraph", {}, readLine(line)));
    }
    line = [];
  };
  for (const child of children) {
    if (!isBlock(child)) line.push(child);
    else {
      flush();
      blocks.push(readBlock(child));
    }
  }
  flush();
  return blocks;
}

const orEmpty = (blocks: readonly Node[]): readonly Node[] => (blocks.length > 0 ? blocks : [{ type: "paragraph" }]);

function readBlock(element: Element): Node {
  switch (element.name) {
    case "p":
      return node("paragraph", alignOf(read(element, "align")("align")), readLine(element.children));
    case "hr":
      read(element);
      return node("horizontalRule", {});
    case "ul":
    case "ol":
      return list(element);
    case "blockquote":
      read(element);
      return node("blockquote", {}, orEmpty(readBlocks(element.children)));
    case "pre":
      return code(element);
    case "table":
      return table(element);
    case "details":
      return details(element);
    default: {
      const attrs = { level: Number(element.name[1]), ...alignOf(read(element, "align")("align")) };
      return node("heading", attrs, readLine(element.children));
    }
  }
}

/** The children of a container that may contain only elements with these names. */
function only(element: Element, ...names: readonly string[]): readonly Element[] {
  return element.children.flatMap((child) => {
    if (isBlank(child)) return [];
    if (typeof child === "string" || !names.includes(child.name)) throw new NotOurs();
    return [child];
  });
}

function list(element: Element): Node {
  const start = element.name === "ol" ? read(element, "start")("start") : void read(element);
  const items = only(element, "li").map((item) => {
    read(item);
    return node("listItem", {}, orEmpty(readBlocks(item.children)));
  });
  if (items.length === 0) throw new NotOurs();
  const attrs: Attrs = start === undefined || start === "1" ? {} : { start: wholeNumber(start) };
  return node(element.name === "ol" ? "orderedList" : "bulletList", attrs, items);
}

/** Converts code unchanged, with the language that its class names. */
function code(element: Element): Node {
  read(element);
  const [first] = element.children;
  const inner = element.children.length === 1 && typeof first === "object" && first.name === "code" ? first : undefined;
  const name = inner && read(inner, "class")("class");
  const language = name === undefined ? undefined : /^language-([^\s]{1,64})$/.exec(name)?.[1];
  if (name !== undefined && language === undefined) throw new NotOurs();
  const parts = (inner ?? element).children;
  if (parts.some((part) => typeof part !== "string")) throw new NotOurs();
  const text = decodeEntities(parts.join("")).replace(/^\n/, "").replace(/\n$/, "");
  return node("codeBlock", language ? { language } : {}, text === "" ? [] : [{ text, type: "text" }]);
}

function details(element: Element): Node {
  const open = read(element, "open")("open");
  if (open !== undefined && !/^(?:open)?$/i.test(open)) throw new NotOurs();
  const [first, ...rest] = element.children.filter((child, i) => i > 0 || !isBlank(child));
  const summary = typeof first === "object" && first.name === "summary" ? first : undefined;
  if (summary) read(summary);
  const content = summary ? rest : element.children;
  return node("details", open === undefined ? {} : { open: true }, [
    node("detailsSummary", {}, readLine(summary?.children ?? [])),
    node("detailsContent", {}, orEmpty(readBlocks(content))),
  ]);
}

function table(element: Element): Node {
  read(element);
  const rows = only(element, "thead", "tbody", "tr").flatMap((part) => {
    read(part);
    return part.name === "tr" ? [part] : only(part, "tr");
  });
  const lines = rows.map(row);
  if (!isPlainTable(lines)) throw new NotOurs();
  return node("table", {}, lines);
}

/** Whether Markdown can represent a table: one header row, single-line cells, one alignment per column, no merges. */
function isPlainTable([head, ...rows]: readonly Node[]): boolean {
  const columns = head?.content ?? [];
  const fits = (type: string) => (cell: Node, i: number) =>
    cell.type === type &&
    cell.content?.length === 1 &&
    defined(cell.content[0]).type === "paragraph" &&
    !defined(cell.content[0]).attrs &&
    !cell.attrs?.colspan &&
    !cell.attrs?.rowspan &&
    cell.attrs?.align === columns[i]?.attrs?.align;
  return (
    columns.length > 0 &&
    columns.every(fits("tableHeader")) &&
    rows.every(({ content = [] }) => content.length === columns.length && content.every(fits("tableCell")))
  );
}

function row(element: Element): Node {
  read(element);
  const cells = only(element, "th", "td").map((cell) => {
    const attr = read(cell, "align", "colspan", "rowspan");
    const { textAlign } = alignOf(attr("align"), CELL_SIDES);
    const attrs: Record<string, Json> = textAlign ? { align: textAlign } : {};
    for (const name of ["colspan", "rowspan"]) {
      const value = attr(name);
      if (value !== undefined && value !== "1") attrs[name] = wholeNumber(value);
    }
    return node(cell.name === "th" ? "tableHeader" : "tableCell", attrs, orEmpty(readBlocks(cell.children)));
  });
  if (cells.length === 0) throw new NotOurs();
  return node("tableRow", {}, cells);
}
