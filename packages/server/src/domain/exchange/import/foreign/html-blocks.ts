import { sortMarks } from "@svc/document/markdown/marks";
import { joinText } from "@svc/document/schema/normalise";
import type { Attrs, Json, Mark, Node } from "@svc/document/types";
import { formulaOf } from "./html-formula.ts";
import { type Child, type Element, findElement, hasClass, isElement, textOfElement } from "./html-tree.ts";

/** The blocks of an HTML text, and a count by name of content that could not be imported. */
interface HtmlBlocks {
  readonly blocks: readonly Node[];
  readonly lost: ReadonlyMap<string, number>;
}

/** Converts another program's HTML to blocks. Elements without an equivalent are reduced to their text. */
export function blocksOfHtml(root: Element): HtmlBlocks {
  const lost = new Map<string, number>();
  return { blocks: readBlocks(root.children, lost), lost };
}

type Lost = Map<string, number>;

const MARKS: Readonly<Record<string, string>> = {
  b: "bold",
  strong: "bold",
  i: "italic",
  em: "italic",
  cite: "italic",
  u: "underline",
  ins: "underline",
  s: "strike",
  strike: "strike",
  del: "strike",
  code: "code",
  kbd: "kbd",
  samp: "code",
  tt: "code",
  sub: "subscript",
  sup: "superscript",
  mark: "highlight",
};

const BLOCKS = new Set(
  "address article aside blockquote center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table ul body html".split(
    " ",
  ),
);
/** Elements that are invisible to a reader. */
const SILENT = new Set("script style head title meta link template noscript colgroup col".split(" "));
/** Elements that a page here cannot show; their text is kept. */
const FOREIGN = new Set(
  "iframe object embed video audio canvas svg form input select textarea button map applet math".split(" "),
);

const isBlank = (child: Child): boolean => typeof child === "string" && child.trim() === "";
const isBlock = (child: Child): child is Element =>
  typeof child !== "string" && (BLOCKS.has(child.name) || holdsBlocks(child));
/** Whether an inline element contains blocks, as some programs write them. */
const holdsBlocks = (element: Element): boolean =>
  (element.name === "span" || element.name === "a" || element.name === "font") &&
  element.children.some((child) => typeof child !== "string" && BLOCKS.has(child.name));

const node = (type: string, attrs: Attrs = {}, content: readonly Node[] = []): Node => ({
  type,
  ...(Object.keys(attrs).length > 0 && { attrs }),
  ...(content.length > 0 && { content }),
});

const orEmpty = (blocks: readonly Node[]): readonly Node[] => (blocks.length > 0 ? blocks : [node("paragraph")]);

/** Converts a line of text between blocks. */
type MakeLine = (line: readonly Child[], lost: Lost) => readonly Node[];

function readBlocks(children: readonly Child[], lost: Lost, makeLine: MakeLine = paragraphs): Node[] {
  const blocks: Node[] = [];
  let line: Child[] = [];
  const flush = () => {
    if (!line.every(isBlank)) blocks.push(...makeLine(line, lost));
    line = [];
  };
  for (const child of children) {
    if (typeof child !== "string" && SILENT.has(child.name)) continue;
    if (!isBlock(child)) line.push(child);
    else {
      flush();
      blocks.push(...readBlock(child, lost));
    }
  }
  flush();
  return blocks;
}

/** Converts a line of text to a paragraph, or to an image if it holds nothing else. */
function paragraphs(children: readonly Child[], lost: Lost, attrs: Attrs = {}): Node[] {
  const [first, ...more] = children.filter((child) => !isBlank(child));
  const formula = first !== undefined && more.length === 0 && typeof first !== "string" ? formulaOf(first) : undefined;
  if (formula?.isBlock) return [node("blockMath", { latex: formula.latex })];
  const line = readLine(children, lost);
  if (line.length === 0) return [];
  if (line.every((part) => part.type === "inlineImage" && !part.marks))
    return line.map((part) => ({ ...part, type: "image" }));
  return [node("paragraph", attrs, line)];
}

function readBlock(element: Element, lost: Lost): Node[] {
  const { name, children } = element;
  if (/^h[1-6]$/.test(name)) return readBlocks(children, lost, headings(element));
  switch (name) {
    case "p":
    case "dt":
    case "figcaption":
      return readBlocks(children, lost, (line) => paragraphs(line, lost, alignOf(element)));
    case "hr":
      return [node("horizontalRule")];
    case "ul":
    case "ol":
      return readList(element, lost);
    case "blockquote":
      return [node("blockquote", {}, orEmpty(readBlocks(children, lost)))];
    case "pre":
      return [readCode(element)];
    case "table":
      return readTable(element, lost);
    case "details":
      return [readDetails(element, lost)];
    case "aside":
    case "div": {
      const formula = formulaOf(element);
      if (formula) return [node("blockMath", { latex: formula.latex })];
      const kind = calloutOf(element);
      return kind ? [node("callout", { kind }, orEmpty(readBlocks(children, lost)))] : readBlocks(children, lost);
    }
    default:
      if (FOREIGN.has(name)) note(lost, name);
      return readBlocks(children, lost);
  }
}

/** Creates headings with an element's level and alignment. */
const headings =
  (element: Element): MakeLine =>
  (children, lost) => {
    const line = readLine(children, lost);
    return line.length === 0 ? [] : [node("heading", { level: Number(element.name[1]), ...alignOf(element) }, line)];
  };

const note = (lost: Lost, name: string): void => void lost.set(name, (lost.get(name) ?? 0) + 1);

function alignOf({ attrs }: Element): Attrs {
  const value = attrs.align ?? /text-align:\s*(\w+)/.exec(attrs.style ?? "")?.[1];
  return value === "center" || value === "right" ? { textAlign: value } : {};
}

/** Recognizes our own callouts and Confluence's. */
function calloutOf(element: Element): string | undefined {
  const [, kind] = /(?:^|\s)callout-(note|tip|important|warning|caution)(?:\s|$)/.exec(element.attrs.class ?? "") ?? [];
  if (kind !== undefined) return kind;
  if (hasClass(element, "confluence-information-macro-warning")) return "warning";
  if (hasClass(element, "confluence-information-macro-note")) return "important";
  if (hasClass(element, "confluence-information-macro-tip")) return "tip";
  return hasClass(element, "confluence-information-macro") ? "note" : undefined;
}

function readList(element: Element, lost: Lost): Node[] {
  const items = element.children.filter((child): child is Element => typeof child !== "string" && child.name === "li");
  if (items.length === 0) return readBlocks(element.children, lost);
  if (items.every(({ attrs }) => FOOTNOTE.test(attrs.id ?? ""))) return items.map((item) => footnote(item, lost));
  if (TASKS.some((name) => hasClass(element, name)) || element.attrs["data-type"] === "taskList" || items.every(hasBox))
    return [
      node(
        "taskList",
        {},
        items.map((item) => taskItem(item, lost)),
      ),
    ];
  const start = Number(element.attrs.start ?? 1);
  const isOrdered = element.name === "ol";
  const attrs: Attrs = {
    ...(isOrdered && Number.isSafeInteger(start) && start > 1 && { start }),
    ...(isOrdered && /^[aAiI]$/.test(element.attrs.type ?? "") && { type: element.attrs.type ?? null }),
  };
  const content = items.map((item) => {
    const line: MakeLine = (children) => paragraphs(children, lost, alignOf(item));
    return node("listItem", {}, orEmpty(readBlocks(item.children, lost, line)));
  });
  return [node(isOrdered ? "orderedList" : "bulletList", attrs, content)];
}

/** Class names for task lists whose items may have no checkboxes. */
const TASKS = ["inline-task-list", "to-do-list"];

const boxOf = (item: Element): Element | undefined =>
  findElement(item, ({ name, attrs }) => name === "input" && attrs.type === "checkbox");
const hasBox = (item: Element): boolean => boxOf(item) !== undefined || DRAWN_BOX.test(textOfElement(item));
/** A checkbox drawn as a character, as in Word files. */
const DRAWN_BOX = /^\s*([☐☑☒])\s*/;

function taskItem(item: Element, lost: Lost): Node {
  const said = item.attrs["data-checked"];
  const box = hasClass(item, "checked") || boxOf(item)?.attrs.checked !== undefined;
  const drawn = boxOf(item) ? undefined : DRAWN_BOX.exec(textOfElement(item))?.[1];
  const checked = said === undefined ? box || (drawn !== undefined && drawn !== "☐") : said !== "false";
  const blocks = orEmpty(readBlocks(item.children, lost));
  return node("taskItem", { checked }, drawn === undefined ? blocks : withoutBox(blocks));
}

/** Removes the checkbox at the start of the first text. */
function withoutBox([first, ...more]: readonly Node[]): readonly Node[] {
  const [inner, ...rest] = first?.content ?? [];
  if (first === undefined || inner === undefined) return first ? [first, ...more] : more;
  if (inner?.text === undefined) return [{ ...first, content: withoutBox(first.content ?? []) }, ...more];
  const text = inner.text.replace(DRAWN_BOX, "");
  return [{ ...first, content: [...(text === "" ? [] : [{ ...inner, text }]), ...rest] }, ...more];
}

/** Footnote ids as written by the Word reader and Pandoc. */
const FOOTNOTE = /^(?:(?:footnote|endnote)-|fn)(\d{1,6})$/;
const FOOTNOTE_LINK = /^#((?:(?:footnote|endnote)-|fn)\d{1,6})$/;
const labelOf = (id: string): string => id.replace(/^(?:footnote-|fn|end(?=note-))/, "");

function footnote(item: Element, lost: Lost): Node {
  return node("footnoteDefinition", { label: labelOf(item.attrs.id ?? "") }, orEmpty(readBlocks(item.children, lost)));
}

function readCode(element: Element): Node {
  const inner = findElement(element, ({ name }) => name === "code");
  const said = `${element.attrs.class ?? ""} ${inner?.attrs.class ?? ""}`;
  const brush = /brush:\s*([\w+#-]{1,32})/.exec(element.attrs["data-syntaxhighlighter-params"] ?? "")?.[1];
  const [, named] = /(?:^|\s)(?:lang(?:uage)?-|sourceCode\s+)([\w+#-]{1,32})/.exec(said) ?? [];
  const language = named === "sourceCode" ? brush : (named ?? brush);
  const text = codeText(element).replace(/^\n/, "").replace(/\n$/, "");
  return node("codeBlock", language ? { language } : {}, text === "" ? [] : [{ type: "text", text }]);
}

const codeText = (element: Element): string =>
  element.children
    .map((child) => (typeof child === "string" ? child : child.name === "br" ? "\n" : codeText(child)))
    .join("");

function readDetails({ attrs, children }: Element, lost: Lost): Node {
  const summary = children.find((child): child is Element => typeof child !== "string" && child.name === "summary");
  const rest = children.filter((child) => child !== summary);
  const parts = [
    node("detailsSummary", {}, readLine(summary?.children ?? [], lost)),
    node("detailsContent", {}, orEmpty(readBlocks(rest, lost))),
  ];
  return node("details", attrs.open === undefined ? {} : { open: true }, parts);
}

function readTable(element: Element, lost: Lost): Node[] {
  const rows: Element[] = [];
  for (const part of element.children.filter(isElement)) {
    if (part.name === "tr") rows.push(part);
    else if (/^t(?:head|body|foot)$/.test(part.name))
      rows.push(...part.children.filter(isElement).filter(({ name }) => name === "tr"));
  }
  const lines = rows.flatMap((row) => {
    const cells = row.children.filter(isElement).filter(({ name }) => name === "td" || name === "th");
    return cells.length === 0
      ? []
      : [
          node(
            "tableRow",
            {},
            cells.map((cell) => readCell(cell, lost)),
          ),
        ];
  });
  return lines.length === 0
    ? readBlocks(
        element.children.filter((child) => !isBlank(child)),
        lost,
      )
    : [...caption(element, lost), node("table", {}, lines)];
}

/** The caption above a table. */
function caption(table: Element, lost: Lost): Node[] {
  const said = table.children.filter(isElement).find(({ name }) => name === "caption");
  return said ? readBlocks(said.children, lost) : [];
}

function readCell(cell: Element, lost: Lost): Node {
  const { textAlign } = alignOf(cell);
  const attrs: Record<string, Json> = textAlign === undefined ? {} : { align: textAlign };
  for (const name of ["colspan", "rowspan"]) {
    const value = Number(cell.attrs[name] ?? 1);
    if (Number.isSafeInteger(value) && value > 1 && value <= 1000) attrs[name] = value;
  }
  return node(cell.name === "th" ? "tableHeader" : "tableCell", attrs, orEmpty(readBlocks(cell.children, lost)));
}

/** A line of text and inline nodes, with white space collapsed as in a browser. */
function readLine(children: readonly Child[], lost: Lost): readonly Node[] {
  const line: Node[] = [];
  collect(children, [], line, lost);
  return trimmed(joinText(line));
}

function collect(children: readonly Child[], open: readonly Mark[], line: Node[], lost: Lost): void {
  for (const child of children) {
    const marks = open.length > 0 ? { marks: sortMarks(open) } : {};
    if (typeof child === "string") {
      const text = spaced(child, line.at(-1));
      if (text !== "") line.push({ type: "text", text, ...marks });
    } else if (child.name === "br") line.push({ type: "hardBreak", ...marks });
    else if (child.name === "img") line.push(...picture(child).map((part) => ({ ...part, ...marks })));
    else if (!SILENT.has(child.name)) collectElement(child, open, line, lost);
  }
}

const spaced = (text: string, before: Node | undefined): string => {
  const one = text.replace(/[ \t\n\r\f]+/g, " ");
  const joins = before === undefined || before.type === "hardBreak" || (before.text ?? "").endsWith(" ");
  return joins ? one.replace(/^ /, "") : one;
};

function collectElement(element: Element, open: readonly Mark[], line: Node[], lost: Lost): void {
  const { name, attrs, children } = element;
  const target = attrs.href === undefined ? undefined : FOOTNOTE_LINK.exec(attrs.href)?.[1];
  if (target !== undefined && /-ref-|^fnref/.test(attrs.id ?? "")) {
    line.push({ type: "footnoteReference", attrs: { label: labelOf(target) } });
    return;
  }
  if (/^#(?:(?:footnote|endnote)-ref-|fnref)\d+$/.test(attrs.href ?? "")) return;
  const formula = formulaOf(element);
  if (formula) {
    line.push({ type: "inlineMath", attrs: { latex: formula.latex } });
    return;
  }
  if (FOREIGN.has(name) && attrs.type !== "checkbox") note(lost, name);
  collect(children, marksWith(element, open), line, lost);
}

/** The marks inside an element. A footnote reference is superscript anyway. */
function marksWith(element: Element, open: readonly Mark[]): readonly Mark[] {
  const { name, attrs } = element;
  if (name === "sup" && findElement(element, ({ attrs: inner }) => FOOTNOTE_LINK.test(inner.href ?? ""))) return open;
  if (name === "a" && attrs.href) {
    const link = { type: "link", attrs: { href: attrs.href, ...(attrs.title && { title: attrs.title }) } };
    return [...open.filter((mark) => mark.type !== "link"), link];
  }
  const color = attrs["data-color"];
  if (name === "span" && color !== undefined) return [...open, { type: "textStyle", attrs: { color } }];
  const type = MARKS[name];
  return type === undefined || open.some((mark) => mark.type === type) ? open : [...open, { type }];
}

function picture({ attrs }: Element): Node[] {
  const { src, alt = "", title } = attrs;
  const isSmiley = /(?:^|\s)emoticon(?:\s|$)/.test(attrs.class ?? "");
  if (!src || isSmiley) return alt === "" ? [] : [{ type: "text", text: alt }];
  const said: Record<string, Json> = { src };
  if (alt) said.alt = alt;
  if (title) said.title = title;
  for (const name of ["width", "height"]) if (/^\d{1,5}$/.test(attrs[name] ?? "")) said[name] = Number(attrs[name]);
  return [{ type: "inlineImage", attrs: said }];
}

/** Removes trailing spaces and breaks. */
function trimmed(line: readonly Node[]): readonly Node[] {
  const last = line.at(-1);
  if (last?.type === "hardBreak") return trimmed(line.slice(0, -1));
  if (last?.type !== "text" || last.text === undefined || !last.text.endsWith(" ")) return line;
  const text = last.text.slice(0, -1);
  return text === "" ? trimmed(line.slice(0, -1)) : [...line.slice(0, -1), { ...last, text }];
}

/** Describes the lost content in words. */
export const lostInWords = (path: string, lost: ReadonlyMap<string, number>): string[] =>
  lost.size === 0
    ? []
    : [`${path.slice(0, 200)}: read for its text alone: ${[...lost].map(([name, n]) => `${n} ${name}`).join(", ")}.`];

export const titleOfHtml = (root: Element): string =>
  textOfElement(findElement(root, ({ name }) => name === "title") ?? root)
    .replace(/\s+/g, " ")
    .trim();
