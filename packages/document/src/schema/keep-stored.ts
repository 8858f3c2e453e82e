import { sameJson } from "../canonical.ts";
import { defined } from "../defined.ts";
import { commonEnds } from "../diff.ts";
import type { Attrs, Mark, Node } from "../types.ts";
import { defaultsOfMark, defaultsOfNode } from "./defaults.ts";
import { blockId, mapShared, withContent } from "./node.ts";

/**
 * Editors write out attributes that say nothing: `null`, or the default. Here such an attribute counts as absent, and
 * marks count as a set, so that opening and saving a body in an editor is no change.
 */

const attrsAlike = (a: Attrs | undefined, b: Attrs | undefined, defaults: Attrs): boolean =>
  a === b || (coveredBy(a, b, defaults) && coveredBy(b, a, defaults));

/** Whether every attribute of the one means what it means in the other. */
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

/** Whether two nodes say the same. Their depth is bounded by the schema. */
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

/** The stored block of an id; undefined where there is none. */
type StoredBlock = (id: string) => Node | undefined;

/**
 * The node with the stored form of every block in it that says what it said before. What says something new stays as
 * sent.
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

/** The same for a whole list; the stored blocks are looked through only when something differs. */
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
