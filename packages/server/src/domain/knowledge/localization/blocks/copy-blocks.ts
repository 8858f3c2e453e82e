import { idOf, withContent, withId } from "@svc/document/schema/node";
import { hasBlockId } from "@svc/document/schema/nodes";
import type { Node } from "@svc/document/types";
import type { StoredBody } from "../../../../bodies/body.ts";
import { newBlockId } from "../../../../ids.ts";
import { holdsLine, listSourceBlocks } from "./text-blocks.ts";

export const createModes = ["copy_structure", "copy_content", "empty"] as const;
export type CreateMode = (typeof createModes)[number];

interface CopiedBlocks {
  readonly blocks: readonly Node[];
  /** Id of each text block → id of its copy. */
  readonly links: ReadonlyMap<string, string>;
}

/**
 * Copies blocks with new ids. With `copy_structure`, translatable lines are left empty; anything else (code, images,
 * rules, formulas, plain numbers) is always copied.
 */
export function copyBlocks(body: Pick<StoredBody, "blocks" | "documentType">, mode: CreateMode): CopiedBlocks {
  const links = new Map<string, string>();
  if (mode === "empty") return { blocks: [], links };
  const emptied = new Set(mode === "copy_structure" ? idsToTranslate(body) : []);
  return { blocks: body.blocks.map((block) => copyNode(block, emptied, links)), links };
}

/** Ids of the translatable lines of a body. */
export const idsToTranslate = (body: Pick<StoredBody, "blocks" | "documentType">): string[] =>
  listSourceBlocks(body).map(({ id }) => id);

/** Copies a node with new ids, leaving out the text of the lines in `emptied`. */
export function copyNode(node: Node, emptied: ReadonlySet<string>, links: Map<string, string>): Node {
  if (!hasBlockId(node.type)) return node;
  const copy = withId(node, newBlockId());
  if (!holdsLine(node)) {
    return node.content ? { ...copy, content: node.content.map((child) => copyNode(child, emptied, links)) } : copy;
  }
  links.set(idOf(node), idOf(copy));
  return emptied.has(idOf(node)) ? withContent(copy, []) : copy;
}
