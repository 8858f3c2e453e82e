import { defined } from "../defined.ts";
import type { Node } from "../types.ts";
import { writeBlock } from "./serialise-blocks.ts";
import { gapBetween, writeBlocks } from "./serialise-parts.ts";
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
export const serialiseBody = (blocks: readonly Node[]): Markdown => joinRuns([serialiseRun(blocks)]);

/** Whether that is the Markdown of the blocks. A text that others wrote mostly differs early, and the rest is not written. */
export function isMarkdownOf(text: string, blocks: readonly Node[]): boolean {
  const warnings: Warning[] = [];
  let at = 0;
  for (const [i, block] of blocks.entries()) {
    const before = blocks[i - 1];
    const gap = before ? gapBetween(before.type, block.type) : "";
    const written = gap + writeBlock(block, { warnings, block, level: 0 });
    if (!text.startsWith(written, at)) return false;
    at += written.length;
  }
  return at === 0 ? text === "" : text.length === at + 1 && text.endsWith("\n");
}

/** Blocks of a body that follow each other as Markdown, without a line end. Does not hold the blocks themselves. */
export interface MarkdownRun extends Markdown {
  /** Types of the first and the last block: what stands between two runs depends on them. */
  readonly first: string;
  readonly last: string;
}

/** Depends on the blocks alone, so it may be kept by their hash. */
export function serialiseRun(blocks: readonly Node[]): MarkdownRun {
  const warnings: Warning[] = [];
  const text = writeBlocks(blocks, (block) => writeBlock(block, { warnings, block, level: 0 }));
  return { text, warnings, first: blocks[0]?.type ?? "", last: blocks.at(-1)?.type ?? "" };
}

/** One Markdown text of runs that follow each other; none of them is empty, unless it is the only one. */
export function joinRuns(runs: readonly MarkdownRun[]): Markdown {
  let text = "";
  runs.forEach((run, i) => {
    text += i === 0 ? run.text : gapBetween(defined(runs[i - 1]).last, run.first) + run.text;
  });
  return { text: text === "" ? "" : `${text}\n`, warnings: runs.flatMap((run) => run.warnings) };
}
