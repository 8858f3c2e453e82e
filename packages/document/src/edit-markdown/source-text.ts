import { endOf, gapBetween } from "../markdown/serialise-parts.ts";
import type { Node } from "../types.ts";

/** The Markdown of blocks that follow each other, and where each of them stands in it. */
export interface SourceText {
  readonly text: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

export function sourceText(blocks: readonly Node[], writeMarkdown: (block: Node) => string): SourceText {
  const starts: number[] = [];
  const ends: number[] = [];
  let text = "";
  let end = "";
  blocks.forEach((block, i) => {
    if (i > 0) text += gapBetween(end, block.type);
    starts.push(text.length);
    const written = writeMarkdown(block);
    text += written;
    end = endOf(block, written);
    ends.push(text.length);
  });
  return { text, starts, ends };
}

/** Blocks that a stretch of the text touches: one that lies between two blocks touches both. */
export function touched({ starts, ends }: SourceText, from: number, to: number): { first: number; last: number } {
  let first = ends.findIndex((end) => end > from);
  if (first < 0) first = ends.length - 1;
  if (first > 0 && starts[first]! > from) first--;
  let last = starts.findLastIndex((start) => start < to);
  if (last < first) last = first;
  if (last < ends.length - 1 && ends[last]! < to) last++;
  return { first, last };
}
