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
  const text = writeBlocks(blocks, (block) => writeBlock(block, { warnings, block, level: 0 }));
  return { text: text === "" ? "" : `${text}\n`, warnings };
}
