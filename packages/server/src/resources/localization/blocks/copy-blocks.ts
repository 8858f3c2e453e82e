import { defined } from "@svc/document/defined";
import { idOf, withContent, withId } from "@svc/document/schema/node";
import { hasBlockId } from "@svc/document/schema/nodes";
import type { Node } from "@svc/document/types";
import { newBlockId } from "../../../ids.ts";
import { holdsLine, textBlocksIn } from "./text-blocks.ts";

export const createModes = ["copy_structure", "copy_content", "empty"] as const;
export type CreateMode = (typeof createModes)[number];

interface CopiedBlocks {
  readonly blocks: readonly Node[];
  /** Id of each text block → id of its copy. */
  readonly links: ReadonlyMap<string, string>;
}

/**
 * The same blocks under new ids. With `copy_structure` a line that has something to translate is left empty; what has
 * nothing to translate (code, pictures, rules, bare numbers) is always copied.
 */
export function copyBlocks(blocks: readonly Node[], mode: CreateMode): CopiedBlocks {
  const links = new Map<string, string>();
  if (mode === "empty") return { blocks: [], links };
  return { blocks: blocks.map((block) => copyNode(block, mode, links)), links };
}

export function copyNode(node: Node, mode: CreateMode, links: Map<string, string>): Node {
  if (!hasBlockId(node.type)) return node;
  const copy = withId(node, newBlockId());
  if (!holdsLine(node)) {
    return node.content ? { ...copy, content: node.content.map((child) => copyNode(child, mode, links)) } : copy;
  }
  links.set(idOf(node), idOf(copy));
  const isTranslated = defined(textBlocksIn(node)[0]).hasWords;
  return isTranslated && mode === "copy_structure" ? withContent(copy, []) : copy;
}
