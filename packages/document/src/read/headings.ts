import { childBlocks } from "../blocks/find.ts";
import { defined } from "../defined.ts";
import { idOf } from "../schema/node.ts";
import type { Node } from "../types.ts";
import { plainText } from "./text.ts";

export interface Heading {
  readonly block_id: string;
  readonly level: number;
  /** On one line. */
  readonly text: string;
  /** Index of the top-level block that it is or is in. */
  readonly position: number;
  /** In a quotation, list, cell or the like: it has a slug but opens no section. */
  readonly nested: boolean;
}

/** The headings of a run of top-level blocks in document order; `offset` is the position of the first block. */
export function listHeadings(blocks: readonly Node[], offset = 0): Heading[] {
  const headings: Heading[] = [];
  for (let i = 0; i < blocks.length; i++) addHeadings(headings, defined(blocks[i]), i + offset, false);
  return headings;
}

function addHeadings(headings: Heading[], node: Node, position: number, nested: boolean): void {
  if (node.type === "heading") headings.push(headingOf(node, position, nested));
  for (const child of childBlocks(node)) addHeadings(headings, child, position, true);
}

function headingOf(node: Node, position: number, nested: boolean): Heading {
  const level = node.attrs?.level;
  return {
    block_id: idOf(node),
    level: typeof level === "number" ? level : 1,
    text: plainText(node).replace(/\s+/g, " ").trim(),
    position,
    nested,
  };
}
