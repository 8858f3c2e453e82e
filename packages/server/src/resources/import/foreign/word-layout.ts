import type { Node } from "@svc/document/types";
import { replaceElements } from "./word-formulas.ts";

/** What the reader of Word files does not tell passes through it as signs in the text: no text has these characters. */
const [RULE, CENTRE, RIGHT, CONTINUED] = ["\uFDD2", "\uFDD3", "\uFDD4", "\uFDD5"];
const SIGNS = new RegExp(`[${RULE}${CENTRE}${RIGHT}]`, "g");

const run = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;

/** The numbers of lists whose items have no sign before them: what goes on in the item before, as Pandoc writes it. */
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

/** The XML of a Word file with signs for rules, the sides of paragraphs and what goes on in an item of a list. */
export function markLayout(xml: string, signless: ReadonlySet<string>): string {
  const ruled = replaceElements(xml, "w:pict", (inner) =>
    /\so:hr="(?:t|true|1)"/.test(inner) ? `<w:t>${RULE}</w:t>` : `<w:pict>${inner}</w:pict>`,
  );
  return replaceElements(ruled, "w:pPr", (inner) => {
    const properties = `<w:pPr>${inner}</w:pPr>`;
    // The end of these belongs to what the paragraph was before a tracked change.
    if (inner.includes("<w:pPrChange")) return properties;
    const side = /<w:jc w:val="(center|right|end)"/.exec(inner)?.[1];
    const list = /<w:numId w:val="(\d{1,9})"/.exec(inner)?.[1];
    const signs = `${list !== undefined && signless.has(list) ? CONTINUED : ""}${side === undefined ? "" : side === "center" ? CENTRE : RIGHT}`;
    return signs === "" ? properties : properties + run(signs);
  });
}

/** The HTML that the reader has made, with rules and sides as HTML says them; of a cell its first paragraph's. */
export const showLayout = (html: string): string =>
  html
    .replaceAll(`<p>${RULE}</p>`, "<hr />")
    .replace(
      new RegExp(`(<t[dh](?: [^<>]{0,200})?>)?<p>([${CENTRE}${RIGHT}])`, "g"),
      (_all, cell: string | undefined, sign: string) => {
        const align = ` align="${sign === CENTRE ? "center" : "right"}"`;
        return cell === undefined ? `<p${align}>` : `${cell.slice(0, -1)}${align}><p>`;
      },
    )
    .replace(SIGNS, "");

const isList = ({ type }: Node): boolean => type === "bulletList" || type === "orderedList" || type === "taskList";
const goesOn = (node: Node): boolean =>
  node.text === undefined
    ? node.content?.[0] !== undefined && goesOn(node.content[0])
    : node.text.startsWith(CONTINUED);

/** Blocks in which what goes on in an item of a list stands in that item, and the list goes on behind it. */
export const joinContinued = (blocks: readonly Node[]): Node[] => join(blocks).map(withoutSigns);

function join(blocks: readonly Node[]): Node[] {
  const joined: Node[] = [];
  /** The list that stands last, its items, and the content of the last item. */
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

export const hasContinued = (html: string): boolean => html.includes(CONTINUED);
