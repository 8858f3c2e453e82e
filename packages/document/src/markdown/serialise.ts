import { defined } from "../defined.ts";
import type { Node } from "../types.ts";
import { writeBlock } from "./serialise-blocks.ts";
import { endOf, gapBetween, writeBlocks } from "./serialise-parts.ts";
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
  let end = "";
  for (const [i, block] of blocks.entries()) {
    const gap = i > 0 ? gapBetween(end, block.type) : "";
    const written = writeBlock(block, { warnings, block, level: 0 });
    if (!text.startsWith(gap + written, at)) return false;
    at += gap.length + written.length;
    end = endOf(block, written);
  }
  return at === 0 ? text === "" : text.length === at + 1 && text.endsWith("\n");
}

/** Blocks of a body that follow each other as Markdown, without a line end. Does not hold the blocks themselves. */
export interface MarkdownRun extends Markdown {
  /** The type of the first block, and how the last one ends: what stands between two runs depends on them. */
  readonly first: string;
  readonly last: string;
}

/** Depends on the blocks alone, so it may be kept by their hash. */
export function serialiseRun(blocks: readonly Node[]): MarkdownRun {
  const warnings: Warning[] = [];
  const { text, end } = writeBlocks(blocks, (block) => writeBlock(block, { warnings, block, level: 0 }));
  return { text, warnings, first: blocks[0]?.type ?? "", last: end };
}

/** One Markdown text of runs that follow each other; none of them is empty, unless it is the only one. */
export function joinRuns(runs: readonly MarkdownRun[]): Markdown {
  let text = "";
  runs.forEach((run, i) => {
    text += i === 0 ? run.text : gapBetween(defined(runs[i - 1]).last, run.first) + run.text;
  });
  return { text: text === "" ? "" : `${text}\n`, warnings: runs.flatMap((run) => run.warnings) };
}
