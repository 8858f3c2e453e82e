import { getBlock } from "../blocks/context.ts";
import { matchHeading } from "../blocks/match-heading.ts";
import { listHeadings } from "../read/headings.ts";
import { sectionEnds } from "../read/outline.ts";
import type { Body } from "../types.ts";

/** Top-level blocks from `from` up to `to`, which is not among them. `ownEnd` is where the first section inside begins. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly ownEnd: number;
}

export const wholeBody = ({ content }: Body): Span => ({ from: 0, to: content.length, ownEnd: content.length });

/**
 * The section of a heading, by its text (signs of Markdown before it do not count) or by a block id. A block that is no
 * heading stands for itself.
 */
export function sectionOf(body: Body, section: string): Span {
  const position = section.startsWith("block_")
    ? getBlock(body, section, {}).path[0]!
    : matchHeading(body.content, section.replace(/^\s{0,3}#{1,6}\s+/, ""));
  const headings = listHeadings(body.content);
  const index = headings.findIndex((heading) => !heading.nested && heading.position === position);
  if (index < 0) return { from: position, to: position + 1, ownEnd: position + 1 };
  const to = sectionEnds(headings, body.content.length)[index]!;
  const inner = headings.find((heading) => !heading.nested && heading.position > position && heading.position < to);
  return { from: position, to, ownEnd: inner?.position ?? to };
}
