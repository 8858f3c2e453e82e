import { hash } from "node:crypto";
import { childBlocks } from "@svc/document/blocks/find";
import { canonicalJson } from "@svc/document/canonical";
import { idOf } from "@svc/document/schema/node";
import type { Node } from "@svc/document/types";
import { WeakCache } from "../../../cache/weak-cache.ts";

/** A block that holds one line of text: what is translated as a whole. */
export interface TextBlock {
  readonly id: string;
  readonly node: Node;
  /** Its type and those of the blocks around it: only blocks of one kind are taken for each other. */
  readonly kind: string;
  /** Over the line with its marks and inline nodes; null when there is nothing in it. */
  readonly hash: string | null;
  /** Whether there is anything to translate: a letter outside of code. */
  readonly hasWords: boolean;
}

const lineTypes: ReadonlySet<string> = new Set(["paragraph", "heading", "detailsSummary"]);
export const holdsLine = (node: Node): boolean => lineTypes.has(node.type);

const TEXT_BLOCKS = new WeakCache<Node, readonly TextBlock[]>("text_blocks");

/** The text blocks of a top-level block, in order; found once for as long as the block is in memory. */
export const textBlocksIn = (block: Node): readonly TextBlock[] => TEXT_BLOCKS.getOrMake(block, findTextBlocks);

function findTextBlocks(block: Node): readonly TextBlock[] {
  const blocks: TextBlock[] = [];
  collect(block, "", blocks);
  return blocks;
}

export const listTextBlocks = (blocks: readonly Node[]): TextBlock[] => blocks.flatMap(textBlocksIn);

/** Those of the source that become units. */
export const listSourceBlocks = (blocks: readonly Node[]): TextBlock[] =>
  listTextBlocks(blocks).filter((block) => block.hasWords);

function collect(node: Node, above: string, blocks: TextBlock[]): void {
  const kind = `${above}/${node.type}${node.type === "heading" ? node.attrs?.level : ""}`;
  if (holdsLine(node)) blocks.push(textBlock(node, kind));
  for (const child of childBlocks(node)) collect(child, kind, blocks);
}

function textBlock(node: Node, kind: string): TextBlock {
  const content = node.content ?? [];
  return { id: idOf(node), node, kind, hash: lineHash(content), hasWords: content.some(hasWords) };
}

function lineHash(content: readonly Node[]): string | null {
  const isEmpty = content.every((node) => node.type === "text" && (node.text ?? "").trim() === "");
  return isEmpty ? null : hash("sha256", canonicalJson(content), "hex");
}

const hasWords = (node: Node): boolean =>
  node.type === "text" && !(node.marks ?? []).some(({ type }) => type === "code") && /\p{L}/u.test(node.text ?? "");
