import { type Markdown, serialiseBlock } from "@svc/document/markdown/serialise";
import type { Node } from "@svc/document/types";
import { WeakCache } from "../../cache/weak-cache.ts";

/** A stored block never changes, so its Markdown is written once while the block is in memory. */
const BLOCKS = new WeakCache<Node, Markdown>("block_markdown");

export const blockMarkdown = (block: Node): Markdown => BLOCKS.getOrMake(block, serialiseOne);

const serialiseOne = (block: Node): Markdown => serialiseBlock(block);

export const markdownOf = (block: Node): string => blockMarkdown(block).text;
