import { eachBlockId } from "@svc/document/blocks/find";
import { defined } from "@svc/document/defined";
import { DocumentError } from "@svc/document/errors";
import { mapShared, withAttrs, withContent } from "@svc/document/schema/node";
import { allowsChild, hasBlockId, holdsBlocks, type NodeType, nodeTypes } from "@svc/document/schema/nodes";
import { normaliseNodes } from "@svc/document/schema/normalise";
import { validateNode } from "@svc/document/schema/validate";
import type { NewId, Node } from "@svc/document/types";

const BLOCK_ID = /^block_[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
export const isBlockId = (id: unknown): id is string => typeof id === "string" && BLOCK_ID.test(id);

/** Containers that get an empty paragraph when their last child goes. Other empty containers are removed. */
const refilled: ReadonlySet<string> = new Set(["listItem", "taskItem", "tableCell", "tableHeader", "detailsContent"]);

/**
 * The nearest valid form of a block: fills or removes what concurrent edits left empty, drops children that are not
 * allowed, and gives every nested block an id unknown to `isTaken`. Returns undefined if nothing remains, and the same
 * object if nothing is wrong.
 */
export function repairNode(node: Node, newId: NewId, isTaken: (id: string) => boolean): Node | undefined {
  if (nodeTypes[node.type]?.kind !== "block") return undefined;
  const shaped = repairShape(node, newId);
  if (!shaped) return undefined;
  const seen = new Set<string>();
  const known = withContentIds(shaped, (id) => {
    const isFree = isBlockId(id) && !seen.has(id) && !isTaken(id);
    const kept = isFree ? id : newId();
    seen.add(kept);
    return kept;
  });
  return check(known, newId);
}

function check(node: Node, newId: NewId): Node | undefined {
  try {
    const [normal] = normaliseNodes([node], newId);
    return validateNode(normal, { maxCharacters: Number.MAX_SAFE_INTEGER });
  } catch (error) {
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}

/** The node with only the children it allows, filled if it must not be empty. */
function repairShape(node: Node, newId: NewId): Node | undefined {
  const type = nodeTypes[node.type];
  if (!type) return undefined;
  const repaired = (node.content ?? []).flatMap((child) => repairChild(type, child, newId));
  const isSame =
    repaired.length === (node.content?.length ?? 0) && repaired.every((kid, i) => kid === defined(node.content)[i]);
  if (repaired.length === 0 && !type.mayBeEmpty)
    return refilled.has(node.type) ? withContent(node, [emptyParagraph(newId)]) : undefined;
  return isSame ? node : withContent(node, repaired);
}

function repairChild(parent: NodeType, child: Node, newId: NewId): readonly Node[] {
  if (!allowsChild(parent, child.type)) return [];
  if (!holdsBlocks(parent)) return [child];
  const repaired = repairShape(child, newId);
  return repaired ? [repaired] : [];
}

const emptyParagraph = (newId: NewId): Node => ({ type: "paragraph", attrs: { id: newId() } });

/** Replaces the id of every nested block by the result of `idFor`. */
function withContentIds(node: Node, idFor: (id: unknown) => string): Node {
  if (!node.content || !holdsBlocks(defined(nodeTypes[node.type]))) return node;
  const content = mapShared(node.content, (child) => {
    if (!hasBlockId(child.type)) return child;
    const id = idFor(child.attrs?.id);
    const named = child.attrs?.id === id ? child : withAttrs(child, { ...child.attrs, id });
    return withContentIds(named, idFor);
  });
  return content === node.content ? node : withContent(node, content);
}

/** Ids of the blocks below a top-level block. */
export function nestedIds(node: Node): Set<string> {
  const ids = new Set<string>();
  eachBlockId(node.content ?? [], (id) => void ids.add(id));
  return ids;
}
