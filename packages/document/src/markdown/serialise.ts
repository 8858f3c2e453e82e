import type { Node } from "../types.ts";
import { writeBlock, writeBlocks } from "./serialise-blocks.ts";
import type { Warning } from "./warning.ts";

export type { Warning, WarningCode } from "./warning.ts";

export interface Markdown {
  readonly text: string;
  readonly warnings: readonly Warning[];
}

/** One block as Markdown, without a line end. Depends on the block alone, so it may be kept by the block's hash. */
export function serialiseBlock(block: Node): Markdown {
  const warnings: Warning[] = [];
  return { text: writeBlock(block, { warnings, block, level: 0 }), warnings };
}

/** Blocks as one Markdown text that parses back to them, as far as Markdown can say them. */
export function serialiseBody(blocks: readonly Node[]): Markdown {
  const warnings: Warning[] = [];
  return { text: joinMarkdown(blocks, (block) => writeBlock(block, { warnings, block, level: 0 })), warnings };
}

/** The same from the Markdown of each block, for a caller that has it. */
export function joinMarkdown(blocks: readonly Node[], markdownOf: (block: Node) => string): string {
  const text = writeBlocks(blocks, markdownOf);
  return text === "" ? "" : `${text}\n`;
}
