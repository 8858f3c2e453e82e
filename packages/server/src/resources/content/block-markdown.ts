import { type Markdown, serialiseBlock } from "@svc/document/markdown/serialise";
import type { Node } from "@svc/document/types";

/** A stored block never changes, so its Markdown is written once for as long as the block is in memory. */
const written = new WeakMap<Node, Markdown>();

export function blockMarkdown(block: Node): Markdown {
  const known = written.get(block);
  if (known) return known;
  const markdown = serialiseBlock(block);
  written.set(block, markdown);
  return markdown;
}

export const markdownOf = (block: Node): string => blockMarkdown(block).text;
