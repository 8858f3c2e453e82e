import { defined } from "../defined.ts";
import { allowsChild, nodeTypes } from "../schema/nodes.ts";
import { hintOfPlace } from "../schema/type-hint.ts";
import { DEFAULT_MAX_DEPTH, type DocumentType, invalid } from "../schema/validate.ts";
import type { Body, Node } from "../types.ts";
import type { EditContext } from "./context.ts";
import { childBlocks } from "./find.ts";

/** Refuses nodes that may not stand in `parent`, or not that deep. `depth` is where the nodes will be. */
export function checkFit(
  parent: Node | Body,
  nodes: readonly Node[],
  depth: number,
  context: EditContext,
  path = "nodes",
): void {
  const maxDepth = context.maxDepth ?? DEFAULT_MAX_DEPTH;
  for (let i = 0; i < nodes.length; i++) {
    const node = defined(nodes[i]);
    const at = path === "node" ? path : `${path}[${i}]`;
    if (!fits(parent, node.type, context.documentType)) {
      const place = parent.type === "doc" ? `the top level of a ${context.documentType ?? "document"}` : parent.type;
      throw invalid(at, `${node.type} cannot stand in ${place}`, {
        parent_type: parent.type,
        hint: hintOfPlace(node.type, parent.type),
      });
    }
    if (parent.type === "codeBlock" && node.marks?.length) throw invalid(`${at}.marks`, "code takes no marks");
    if (depth + height(node) > maxDepth) throw invalid(at, `is nested deeper than ${maxDepth} levels`);
  }
}

function fits(parent: Node | Body, child: string, documentType: DocumentType = "document"): boolean {
  if (parent.type !== "doc") return allowsChild(defined(nodeTypes[parent.type]), child);
  return documentType === "spreadsheet" ? child === "table" : nodeTypes[child]?.kind === "block";
}

/** Levels of nodes from this one down, itself included. */
function height(node: Node): number {
  if (node.content === undefined || node.content.length === 0) return 1;
  let below = 1;
  for (const child of childBlocks(node)) below = Math.max(below, height(child));
  return below + 1;
}
