import type { Node } from "../types.ts";
import { missingEnd } from "./rules/html-block.ts";
import { separator } from "./serialise-inline.ts";

/** The marker of each list type: adjacent lists with the same marker would be parsed as one list. */
const listKind: Readonly<Record<string, string>> = { bulletList: "-", taskList: "-", orderedList: "1" };
const wouldJoin = (before: string, type: string): boolean =>
  listKind[type] !== undefined && listKind[type] === listKind[before];

/** The ending of a serialised block: the closing text that its HTML lacks, or else its type. */
export const endOf = ({ type }: Node, written: string): string =>
  type === "rawHtml" ? (missingEnd(written) ?? type) : type;

const isMissing = (end: string): boolean => end.endsWith(">");

/** Returns the separator between a block with this ending (see `endOf`) and one of this type. */
export function gapBetween(end: string, type: string): string {
  if (isMissing(end)) return `\n${end}\n\n`;
  return wouldJoin(end, type) ? `\n\n${separator}\n\n` : "\n\n";
}

/** Serialises blocks with the separators between them, and returns the ending of the last one. */
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
