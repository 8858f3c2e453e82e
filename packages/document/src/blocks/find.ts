import { defined } from "../defined.ts";
import { blockId, isBody } from "../schema/node.ts";
import { hasBlockId, holdsBlocks, nodeTypes } from "../schema/nodes.ts";
import type { Body, Node } from "../types.ts";

/** Indexes from the body down to a node. */
export type Path = readonly number[];

export interface FoundBlock {
  readonly node: Node;
  readonly path: Path;
  readonly parent: Node | Body;
  /** null at the top level */
  readonly parentId: string | null;
  /** Index among its siblings. */
  readonly position: number;
  /** 0 at the top level. */
  readonly depth: number;
}

/** One line of a block list, with the names the API uses. */
export interface BlockInfo {
  readonly id: string;
  readonly type: string;
  readonly parent_id: string | null;
  readonly position: number;
  readonly depth: number;
  readonly node: Node;
}

/**
 * The path to a block, top-level or nested: one walk that never looks into lines of text. Like every function on bodies
 * it also serves a run of top-level blocks: wrapped as a body of its own, with positions counted from the run's
 * beginning.
 */
export function locate(body: Body, id: string): Path | undefined {
  const path: number[] = [];
  return search(body.content, id, path) ? path.reverse() : undefined;
}

/** Collects the path from the block upwards. */
function search(nodes: readonly Node[], id: string, path: number[]): boolean {
  for (let i = 0; i < nodes.length; i++) {
    const node = defined(nodes[i]);
    const found = node.attrs?.id === id && hasBlockId(node.type);
    if (found || search(childBlocks(node), id, path)) {
      path.push(i);
      return true;
    }
  }
  return false;
}

/** Children that have ids; none for a node that holds a line of text. */
export function childBlocks(node: Node): readonly Node[] {
  const content = node.content;
  if (content === undefined || content.length === 0 || defined(content[0]).type === "text") return noNodes;
  return containerTypes.has(node.type) ? content : noNodes;
}

const containerTypes: ReadonlySet<string> = new Set(
  Object.keys(nodeTypes).filter((type) => holdsBlocks(defined(nodeTypes[type]))),
);
const noNodes: readonly Node[] = [];

export function blockAt(body: Body, path: Path): FoundBlock {
  const parent = nodeAt(body, path.slice(0, -1));
  const position = defined(path.at(-1));
  return {
    node: defined(defined(parent.content)[position]),
    path,
    parent,
    parentId: isBody(parent) ? null : (blockId(parent) ?? null),
    position,
    depth: path.length - 1,
  };
}

/** The node at a path; the body itself for the empty path. */
export function nodeAt(body: Body, path: Path): Node | Body {
  let node: Node | Body = body;
  for (const index of path) node = defined(defined(node.content)[index]);
  return node;
}

/** The blocks in document order: those of the top level, or with `recursive` all of them, parents before children. */
export function listBlocks(body: Body, options: { readonly recursive?: boolean } = {}): BlockInfo[] {
  const blocks: BlockInfo[] = [];
  addBlocks(blocks, body.content, null, 0, options.recursive ?? false);
  return blocks;
}

function addBlocks(
  blocks: BlockInfo[],
  nodes: readonly Node[],
  parentId: string | null,
  depth: number,
  recursive: boolean,
): void {
  for (let position = 0; position < nodes.length; position++) {
    const node = defined(nodes[position]);
    const id = blockId(node) ?? "";
    blocks.push({ id, type: node.type, parent_id: parentId, position, depth, node });
    if (recursive) addBlocks(blocks, childBlocks(node), id, depth + 1, true);
  }
}

/** Calls `visit` with the id of every block of a list of nodes and below. */
export function eachBlockId(nodes: readonly Node[], visit: (id: string) => void): void {
  for (const node of nodes) {
    const id = blockId(node);
    if (id !== undefined) visit(id);
    eachBlockId(childBlocks(node), visit);
  }
}

export function blockIds(nodes: readonly Node[]): Set<string> {
  const ids = new Set<string>();
  eachBlockId(nodes, (id) => ids.add(id));
  return ids;
}
