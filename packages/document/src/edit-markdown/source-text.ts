import { defined } from "../defined.ts";
import { endOf, gapBetween } from "../markdown/serialise-parts.ts";
import type { Body, Node } from "../types.ts";
import type { Span } from "./section.ts";

export type WriteMarkdown = (block: Node) => string;

/** The Markdown of blocks that follow each other, with the position of each of them in it. */
interface SourceText {
  readonly text: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** The Markdown of a span of the body, with the block before it and the two after it as context. */
export interface SpanText extends SourceText {
  /** The position in the body of the first block of the text. */
  readonly offset: number;
  /** The part of the text that belongs to the span. */
  readonly from: number;
  readonly to: number;
}

/** The text of a span ends before the next block, or with the line end of the last block of the body. */
export function spanText({ content }: Body, { from, to }: Span, write: WriteMarkdown): SpanText {
  const offset = Math.max(0, from - 1);
  const source = sourceText(content.slice(offset, to + 2), write);
  const text = to + 2 <= content.length - 1 || source.text === "" ? source.text : `${source.text}\n`;
  const { starts } = source;
  return { ...source, text, offset, from: starts[from - offset] ?? 0, to: starts[to - offset] ?? text.length };
}

function sourceText(blocks: readonly Node[], write: WriteMarkdown): SourceText {
  const starts: number[] = [];
  const ends: number[] = [];
  let text = "";
  let end = "";
  blocks.forEach((block, i) => {
    if (i > 0) text += gapBetween(end, block.type);
    starts.push(text.length);
    const written = write(block);
    text += written;
    end = endOf(block, written);
    ends.push(text.length);
  });
  return { text, starts, ends };
}

/** Positions of the blocks that a stretch of the text touches; a stretch between two blocks touches both. */
export function touched({ starts, ends }: SourceText, from: number, to: number): { first: number; last: number } {
  let first = firstIndex(ends, (end) => end > from);
  if (first === ends.length) first--;
  if (first > 0 && defined(starts[first]) > from) first--;
  let last = firstIndex(starts, (start) => start >= to) - 1;
  if (last < first) last = first;
  if (last < ends.length - 1 && defined(ends[last]) < to) last++;
  return { first, last };
}

/** The first index of an ascending list for which the condition holds, or the length of the list. */
export function firstIndex<T>(list: readonly T[], holds: (value: T) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(defined(list[middle]))) high = middle;
    else low = middle + 1;
  }
  return low;
}
