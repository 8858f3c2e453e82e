import type { Node } from "../types.ts";
import { missingEnd } from "./rules/html-block.ts";
import { separator } from "./serialise-inline.ts";

/** Two lists in a row would be read as one if nothing stood between them. */
const listKind: Readonly<Record<string, string>> = { bulletList: "-", taskList: "-", orderedList: "1" };
const wouldJoin = (before: string, type: string): boolean =>
  listKind[type] !== undefined && listKind[type] === listKind[before];

/** How a block ends that is written so: with what its HTML lacks, or else as its type says. */
export const endOf = ({ type }: Node, written: string): string =>
  type === "rawHtml" ? (missingEnd(written) ?? type) : type;

const isMissing = (end: string): boolean => end.endsWith(">");

/** Returns the separator between a block with this ending (see `endOf`) and one of this type. */
export function gapBetween(end: string, type: string): string {
  if (isMissing(end)) return `\n${end}\n\n`;
  return wouldJoin(end, type) ? `\n\n${separator}\n\n` : "\n\n";
}

/** Blocks with what must stand between them, and how the last of them ends. */
export function writeBlocks(blocks: readonly Node[], write: (block: Node) => string): { text: string; end: string } {
  let text = "";
  let end = "";
  for (const [i, block] of blocks.entries()) {
    if (i > 0) text += gapBetween(end, block.type);
    const written = write(block);
    text += written;
    end = endOf(block, written);
  }
  return { text, end };
}

export const isEmptyParagraph = (node: Node): boolean =>
  node.type === "paragraph" && (node.content === undefined || node.content.every((child) => child.text === ""));

export const indent = (text: string, width: number): string =>
  text.includes("\n") ? text.replace(/\n(?!\n)/g, `\n${" ".repeat(width)}`) : text;
