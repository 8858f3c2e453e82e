import { sameJson } from "../canonical.ts";
import { defined } from "../defined.ts";
import { commonEnds } from "../diff.ts";
import type { Attrs, Mark, Node } from "../types.ts";
import { defaultsOfMark, defaultsOfNode } from "./defaults.ts";
import { blockId, mapShared, withContent } from "./node.ts";

/**
 * Editors write attributes that have no effect: `null`, or the default. Comparisons here ignore these attributes and
 * the order of marks, so that opening and saving a body in an editor is no change.
 */

const attrsAlike = (a: Attrs | undefined, b: Attrs | undefined, defaults: Attrs): boolean =>
  a === b || (coveredBy(a, b, defaults) && coveredBy(b, a, defaults));

/** Whether every attribute of `one` has the same meaning in `other`. */
function coveredBy(one: Attrs | undefined, other: Attrs | undefined, defaults: Attrs): boolean {
  for (const name in one) {
    const fallback = defaults[name] ?? null;
    if (!sameJson(one[name] ?? fallback, (Object.hasOwn(other ?? {}, name) ? defined(other)[name] : null) ?? fallback))
      return false;
  }
  return true;
}

const marksAlike = (a: readonly Mark[] = [], b: readonly Mark[] = []): boolean =>
  a.length === b.length &&
  a.every((mark) =>
    b.some((other) => other.type === mark.type && attrsAlike(mark.attrs, other.attrs, defaultsOfMark(mark.type))),
  );

/** Whether two nodes are equivalent. The schema limits their depth. */
export function isAlike(a: Node, b: Node): boolean {
  if (a === b) return true;
  const [children, others] = [a.content ?? [], b.content ?? []];
  return (
    a.type === b.type &&
    a.text === b.text &&
    children.length === others.length &&
    attrsAlike(a.attrs, b.attrs, defaultsOfNode(a.type)) &&
    marksAlike(a.marks, b.marks) &&
    children.every((child, i) => isAlike(child, defined(others[i])))
  );
}

/** Returns the stored block with an id, or undefined. */
type StoredBlock = (id: string) => Node | undefined;

/**
 * Replaces every block in a node by its stored form if both are equivalent. Changed blocks stay as the client sent
 * them.
 */
function keepStored(node: Node, stored: StoredBlock): Node {
  const id = blockId(node);
  const same = id === undefined ? undefined : stored(id);
  if (same && isAlike(same, node)) return same;
  const [first] = node.content ?? [];
  if (!node.content || !first || blockId(first) === undefined) return node;
  const content = mapShared(node.content, (child) => keepStored(child, stored));
  return content === node.content ? node : withContent(node, content);
}

/** Does the same for a list of nodes; searches the stored blocks only if the lists differ. */
export function keepAllStored(nodes: readonly Node[], previous: readonly Node[]): readonly Node[] {
  const { start, tail } = commonEnds(previous, nodes);
  const others = previous.slice(start, previous.length - tail);
  if (others.length === 0) return nodes;
  const top = new Map(others.map((block) => [blockId(block), block]));
  let all: Map<string, Node> | undefined;
  const find: StoredBlock = (id) => {
    all ??= indexOf(others);
    return all.get(id);
  };
  const last = nodes.length - tail;
  return mapShared(nodes, (node, i) => {
    if (i < start || i >= last) return node;
    const same = top.get(blockId(node));
    if (same === node) return node;
    return same && isAlike(same, node) ? same : keepStored(node, find);
  });
}

function indexOf(nodes: readonly Node[], index = new Map<string, Node>()): Map<string, Node> {
  for (const node of nodes) {
    const id = blockId(node);
    if (id === undefined) continue;
    index.set(id, node);
    if (node.content) indexOf(node.content, index);
  }
  return index;
}
