import { defined } from "../defined.ts";
import { unwrapLists } from "../edit-markdown/join-lists.ts";
import { findAttrProblem } from "../schema/attrs.ts";
import { isAlike, keepAllStored } from "../schema/keep-stored.ts";
import { withAttrs, withContent, withId } from "../schema/node.ts";
import { nodeTypes } from "../schema/nodes.ts";
import { normaliseNodes } from "../schema/normalise.ts";
import { invalid } from "../schema/validate.ts";
import type { Attrs, Body, Node } from "../types.ts";
import { badRequest, type EditContext, getBlock, takenBeside, takenIds } from "./context.ts";
import { nodeAt, type Path } from "./find.ts";
import { checkFit } from "./fit.ts";
import { type Place, type Position, resolvePosition } from "./position.ts";
import { replaceAt, spliceAt } from "./splice.ts";

/**
 * Every edit takes a normalised body and nodes that passed validation, answers a body that is normalised and valid
 * again, shares what it did not touch, and answers the same body when it changes nothing.
 */

/** Puts nodes at a position. Nodes without ids get them. Lists that are put into a list of their kind give it their items. */
export function insertAt(body: Body, position: Position, nodes: readonly Node[], context: EditContext): Body {
  return insertNodes(body, position, nodes, context).body;
}

/** The same, also giving the nodes as they were put in, with their ids. */
export function insertNodes(
  body: Body,
  position: Position,
  nodes: readonly Node[],
  context: EditContext,
): { readonly body: Body; readonly nodes: readonly Node[] } {
  const { parent, index } = resolvePosition(body, position, context);
  const container = nodeAt(body, parent);
  const fitting = unwrapLists(container, nodes);
  checkFit(container, fitting, parent.length, context);
  const normal = normaliseNodes(fitting, context.newId, takenIds(body, context));
  return { body: spliceAt(body, parent, index, 0, normal), nodes: normal };
}

/** Puts a node in the place of a block and under its id, whatever id the node came with. */
export function replaceBlock(body: Body, id: string, node: Node, context: EditContext): Body {
  const found = getBlock(body, id, context);
  checkFit(found.parent, [node], found.depth, context, "node");
  const taken = takenBeside(body, found, context);
  const [normal] = normaliseNodes([withId(node, id)], context.newId, (other) => other !== id && taken(other));
  const [kept] = keepAllStored([defined(normal)], [found.node]);
  return kept === found.node ? body : replaceAt(body, found.path, defined(kept));
}

/** Sets attributes of a block and keeps the others. Its id stays, whichever is sent. `null` is a value like any other. */
export function patchAttrs(body: Body, id: string, attrs: Attrs, context: EditContext): Body {
  const found = getBlock(body, id, context);
  const sent = { ...found.node.attrs, ...attrs };
  const problem = findAttrProblem(sent, defined(nodeTypes[found.node.type]).attrs, true);
  if (problem) throw invalid(`attrs${problem.at}`, problem.message);
  const merged = { ...sent, id };
  const [normal] = normaliseNodes([withAttrs(withContent(found.node, []), merged)], context.newId);
  const patched = withAttrs(found.node, defined(defined(normal).attrs));
  return isAlike(patched, found.node) ? body : replaceAt(body, found.path, patched);
}

/** Gives a block other children. */
export function replaceContent(body: Body, id: string, content: readonly Node[], context: EditContext): Body {
  const found = getBlock(body, id, context);
  checkFit(found.node, content, found.depth + 1, context, "content");
  const taken = takenBeside(body, found, context);
  const sent = normaliseNodes(content, context.newId, taken);
  const children = keepAllStored(sent, found.node.content ?? []);
  if (children.length === 0 && !defined(nodeTypes[found.node.type]).mayBeEmpty)
    throw invalid("content", `${found.node.type} cannot be empty`);
  const node = withContent(found.node, children);
  return isAlike(node, found.node) ? body : replaceAt(body, found.path, node);
}

/** Takes a block out, and with it every container that its going would leave empty though it may not be. */
export function removeBlock(body: Body, id: string, context: Pick<EditContext, "locate"> = {}): Body {
  return removeAt(body, getBlock(body, id, context).path);
}

function removeAt(body: Body, path: Path): Body {
  let gone = path;
  while (gone.length > 1) {
    const parent = nodeAt(body, gone.slice(0, -1));
    if (defined(parent.content).length > 1 || defined(nodeTypes[parent.type]).mayBeEmpty) break;
    gone = gone.slice(0, -1);
  }
  return spliceAt(body, gone.slice(0, -1), defined(gone.at(-1)), 1, []);
}

/** Takes a block with all below it to another position. Next to itself it stays where it is. */
export function moveBlock(body: Body, id: string, position: Position, context: EditContext): Body {
  const found = getBlock(body, id, context);
  const place = resolvePosition(body, position, context);
  if (startsWith(place.parent, found.path)) throw badRequest("position", "is inside the moved block");
  const parent = nodeAt(body, place.parent);
  if (parent === found.parent && (place.index === found.position || place.index === found.position + 1)) return body;
  checkFit(parent, [found.node], place.parent.length, context, "node");
  const withCopy = spliceAt(body, place.parent, place.index, 0, [found.node]);
  return removeAt(withCopy, afterInsertion(found.path, place));
}

const startsWith = (path: Path, start: Path): boolean =>
  path.length >= start.length && start.every((index, level) => path[level] === index);

/** Adjusts a path after a node was inserted. */
function afterInsertion(path: Path, place: Place): Path {
  const level = place.parent.length;
  if (!startsWith(path.slice(0, level), place.parent) || path.length <= level) return path;
  return path.map((index, i) => (i === level && index >= place.index ? index + 1 : index));
}
