import type { Node } from "../types.ts";
import { readBlocks } from "./parse-blocks.ts";
import { tokenize } from "./tokenizer.ts";

/**
 * A Markdown text as block nodes without ids: CommonMark, GitHub's tables, tasks, strikethrough, addresses, footnotes
 * and callouts, math, details. Any text is valid. Raw HTML that has no node of its own becomes text.
 */
export const parseMarkdown = (text: string): Node[] => readBlocks(tokenize(text));
