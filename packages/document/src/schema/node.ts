import { defined } from "../defined.ts";
import type { Attrs, Body, Node } from "../types.ts";
import { hasBlockId } from "./nodes.ts";

export const isBody = (node: Node | Body): node is Body => node.type === "doc";

/** The block id of a node; undefined for inline nodes and for blocks that have none yet. */
export function blockId(node: Node): string | undefined {
  const id = node.attrs?.id;
  return typeof id === "string" && hasBlockId(node.type) ? id : undefined;
}

/** The block id of a node of a normalised body, where every block has one. */
export const idOf = (node: Node): string => blockId(node) ?? "";

/** The ids of the blocks among nodes; text and other inline nodes have none. */
export const idsOf = (nodes: readonly Node[]): string[] => nodes.flatMap((node) => blockId(node) ?? []);

export const withAttrs = (node: Node, attrs: Attrs): Node => ({ ...node, attrs });

export const withId = (node: Node, id: string): Node =>
  node.attrs?.id === id ? node : withAttrs(node, { ...node.attrs, id });

/** The node with other children; a node left without any has no `content` at all. */
export function withContent(node: Node, content: readonly Node[]): Node {
  if (content.length > 0) return { ...node, content };
  const { content: _gone, ...rest } = node;
  return rest;
}

export const withBlocks = (body: Body, content: readonly Node[]): Body =>
  content === body.content ? body : { ...body, content };

/** The node with these parts, where it has them; the same node when they are its own. */
export function withParts(node: Node, attrs: Node["attrs"], marks: Node["marks"], content: Node["content"]): Node {
  if (attrs === node.attrs && marks === node.marks && content === node.content) return node;
  return { ...node, ...(attrs && { attrs }), ...(marks && { marks }), ...(content && { content }) };
}

/** Maps a list and answers the same list when no item changed. */
export function mapShared<T>(items: readonly T[], map: (item: T, index: number) => T): readonly T[] {
  let changed: T[] | undefined;
  for (let i = 0; i < items.length; i++) {
    const mapped = map(defined(items[i]), i);
    if (mapped !== items[i]) changed ??= items.slice();
    if (changed) changed[i] = mapped;
  }
  return changed ?? items;
}
