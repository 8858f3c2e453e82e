import { defined } from "../defined.ts";
import type { Node } from "../types.ts";
import { separator } from "./serialise-inline.ts";

/** Two lists in a row would be read as one if nothing stood between them. */
const listKind: Readonly<Record<string, string>> = { bulletList: "-", taskList: "-", orderedList: "1" };
const wouldJoin = (before: string, type: string): boolean =>
  listKind[type] !== undefined && listKind[type] === listKind[before];

/** What must stand between two blocks of these types. */
export const gapBetween = (before: string, type: string): string =>
  wouldJoin(before, type) ? `\n\n${separator}\n\n` : "\n\n";

/** Blocks with what must stand between them. */
export function writeBlocks(blocks: readonly Node[], write: (block: Node) => string): string {
  let text = "";
  for (let i = 0; i < blocks.length; i++) {
    const block = blocks[i]!;
    if (i > 0) text += gapBetween(defined(blocks[i - 1]).type, block.type);
    text += write(block);
  }
  return text;
}

export const isEmptyParagraph = (node: Node): boolean =>
  node.type === "paragraph" && (node.content === undefined || node.content.every((child) => child.text === ""));

export const indent = (text: string, width: number): string =>
  text.includes("\n") ? text.replace(/\n(?!\n)/g, `\n${" ".repeat(width)}`) : text;
