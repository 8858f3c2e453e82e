import { defined } from "@svc/document/defined";
import type { Node } from "@svc/document/types";
import { replaceElements } from "./word-formulas.ts";

/** Markers for layout that the Word reader drops: noncharacters, which no text contains. */
const [RULE, CENTRE, RIGHT, CONTINUED, DEEPER] = ["\uFDD2", "\uFDD3", "\uFDD4", "\uFDD5", "\uFDD6"];
/** A horizontal rule in a paragraph without other text. */
const BORDER = "\uFDD7";
const SIGNS = new RegExp(`[${CENTRE}${RIGHT}${BORDER}]`, "g");
const MAX_QUOTE_DEPTH = 6;

const run = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;

/** The numbering ids of lists whose items have no bullet: Pandoc writes the continuation of an item this way. */
export function signlessLists(numbering: string): ReadonlySet<string> {
  const kinds = new Set<string>();
  for (const part of numbering.split("<w:abstractNum ").slice(1)) {
    const id = /^[^<>]{0,200}?w:abstractNumId="(\d{1,9})"/.exec(part)?.[1];
    const signs = [...part.matchAll(/<w:lvlText w:val="([^"<>]{0,50})"/g)];
    if (id !== undefined && signs.length > 0 && signs.every(([, sign = ""]) => sign.trim() === "")) kinds.add(id);
  }
  const lists = new Set<string>();
  for (const part of numbering.split("<w:num ").slice(1)) {
    const id = /^[^<>]{0,200}?w:numId="(\d{1,9})"/.exec(part)?.[1];
    const kind = /<w:abstractNumId w:val="(\d{1,9})"/.exec(part)?.[1];
    if (id !== undefined && kind !== undefined && kinds.has(kind)) lists.add(id);
  }
  return lists;
}

const QUOTE = /<w:pStyle w:val="(?:(?:Intense)?Quote|BlockText|Quotations)"/;
const indentOf = (properties: string): number =>
  Number(/<w:ind [^<>]{0,200}?w:(?:left|start)="(\d{1,6})"/.exec(properties)?.[1] ?? 0);

/** The quote indents of a file, smallest first: a deeper quote is nested. */
function quoteIndents(xml: string): readonly number[] {
  const indents = new Set<number>();
  replaceElements(xml, "w:pPr", (inner) => {
    if (QUOTE.test(inner)) indents.add(indentOf(inner));
    return "";
  });
  return [...indents].sort((a, b) => a - b).slice(0, MAX_QUOTE_DEPTH);
}

/** Only a bottom border: a box is not a rule. LibreOffice has a style for it. */
function isBordered(properties: string): boolean {
  if (/<w:pStyle w:val="HorizontalLine"/.test(properties)) return true;
  const borders = /<w:pBdr>(.{0,2000}?)<\/w:pBdr>/s.exec(properties)?.[1] ?? "";
  const sides = [...borders.matchAll(/<w:(top|bottom|left|right|between|bar) [^<>]{0,200}?w:val="(\w{1,40})"/g)];
  const drawn = sides.filter(([, , kind]) => kind !== "none" && kind !== "nil").map(([, side]) => side);
  return drawn.length === 1 && drawn[0] === "bottom";
}

function signsOf(properties: string, signless: ReadonlySet<string>, indents: readonly number[]): string {
  const side = /<w:jc w:val="(center|right|end)"/.exec(properties)?.[1];
  const list = /<w:numId w:val="(\d{1,9})"/.exec(properties)?.[1];
  const sideSign = side === undefined ? "" : side === "center" ? CENTRE : RIGHT;
  const goesOnInItem = list !== undefined && signless.has(list);
  const level = QUOTE.test(properties) ? indents.findLastIndex((indent) => indent <= indentOf(properties)) : 0;
  return `${sideSign}${isBordered(properties) ? BORDER : ""}${goesOnInItem ? CONTINUED : ""}${DEEPER.repeat(Math.max(level, 0))}`;
}

/** Adds markers for rules, alignment, nested quotes and continued list items to the XML of a Word file. */
export function markLayout(xml: string, signless: ReadonlySet<string>): string {
  // A separate run, so that the rule stands outside of marks.
  const ruled = replaceElements(xml, "w:pict", (inner) =>
    /\so:hr="(?:t|true|1)"/.test(inner) ? `</w:r>${run(RULE)}<w:r>` : `<w:pict>${inner}</w:pict>`,
  );
  const indents = quoteIndents(ruled);
  return replaceElements(ruled, "w:pPr", (inner) => {
    const properties = `<w:pPr>${inner}</w:pPr>`;
    // The rest of these properties describes the paragraph before a tracked change.
    if (inner.includes("<w:pPrChange")) return properties;
    const signs = signsOf(inner, signless, indents);
    return signs === "" ? properties : properties + run(signs);
  });
}

/**
 * Replaces the markers in the reader's HTML with rules and alignment; a cell takes the alignment of its first
 * paragraph.
 */
export const showLayout = (html: string): string =>
  html
    .replace(new RegExp(`<p>[${CENTRE}${RIGHT}]?${BORDER}</p>`, "g"), "<hr />")
    .replaceAll(RULE, "<hr />")
    .replace(
      new RegExp(`(<t[dh](?: [^<>]{0,200})?>)?<(p|h[1-6]|li)>([${CENTRE}${RIGHT}])`, "g"),
      (_all, cell: string | undefined, name: string, sign: string) => {
        const align = ` align="${sign === CENTRE ? "center" : "right"}"`;
        return cell === undefined ? `<${name}${align}>` : `${cell.slice(0, -1)}${align}><${name}>`;
      },
    )
    .replace(SIGNS, "");

const beginsWith = (sign: string) =>
  function begins(node: Node): boolean {
    const [first] = node.content ?? [];
    return node.text === undefined ? first !== undefined && begins(first) : node.text.startsWith(sign);
  };

const isDeeper = beginsWith(DEEPER);

/** Nests the paragraphs of a quote by their depth. */
function nestQuote(blocks: readonly Node[]): Node[] {
  const nested: Node[] = [];
  for (let at = 0; at < blocks.length; ) {
    let end = at;
    while (end < blocks.length && isDeeper(defined(blocks[end]))) end++;
    if (end === at) nested.push(defined(blocks[at++]));
    else {
      nested.push({ type: "blockquote", content: nestQuote(blocks.slice(at, end).map(raise)) });
      at = end;
    }
  }
  return nested;
}

/** The block without its first marker. */
function raise(node: Node): Node {
  if (node.text !== undefined) return { ...node, text: node.text.replace(DEEPER, "") };
  const [first, ...rest] = node.content ?? [];
  return first === undefined ? node : { ...node, content: [raise(first), ...rest].filter(({ text }) => text !== "") };
}

const nestQuotes = (blocks: readonly Node[]): Node[] =>
  blocks.map((block) =>
    block.content === undefined
      ? block
      : { ...block, content: block.type === "blockquote" ? nestQuote(block.content) : nestQuotes(block.content) },
  );

const isList = ({ type }: Node): boolean => type === "bulletList" || type === "orderedList" || type === "taskList";
const goesOn = beginsWith(CONTINUED);

/** Moves blocks that continue a list item into that item and joins the list with the one that follows. */
const joinContinued = (blocks: readonly Node[]): Node[] => join(blocks).map(withoutSigns);

function join(blocks: readonly Node[]): Node[] {
  const joined: Node[] = [];
  /** The last list, its items and the content of the last item. */
  let last: { block: Node; readonly items: Node[]; content: Node[]; isOpen: boolean } | undefined;
  const goOn = (content: readonly Node[]) => {
    if (last === undefined) joined.push(...content);
    else {
      for (const node of content) last.content.push(node);
      last.isOpen = true;
    }
  };
  for (const block of blocks) {
    if (!isList(block)) {
      if (goesOn(block)) goOn([block]);
      else {
        joined.push(block);
        last = undefined;
      }
      continue;
    }
    for (const item of block.content ?? []) {
      const content = join(item.content ?? []);
      if (goesOn(item)) goOn(content);
      else if (last && (last.block === block || (last.isOpen && last.block.type === block.type))) {
        last.items.push({ ...item, content });
        Object.assign(last, { block, content, isOpen: false });
      } else {
        const items = [{ ...item, content }];
        last = { block, items, content, isOpen: false };
        joined.push({ ...block, content: items });
      }
    }
  }
  return joined;
}

function withoutSigns(node: Node): Node {
  if (node.text !== undefined) return { ...node, text: node.text.replaceAll(CONTINUED, "") };
  if (node.content === undefined) return node;
  return { ...node, content: node.content.map(withoutSigns).filter(({ text }) => text !== "") };
}

/** Restructures the blocks read from marked HTML according to the markers. */
export function arrange(html: string, blocks: readonly Node[]): readonly Node[] {
  const joined = html.includes(CONTINUED) ? joinContinued(blocks) : blocks;
  return html.includes(DEEPER) ? nestQuotes(joined) : joined;
}
