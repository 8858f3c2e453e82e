import { sameJson } from "../canonical.ts";
import { defined } from "../defined.ts";
import { longestIncreasing } from "../longest-increasing.ts";
import { hasBlockId } from "../schema/nodes.ts";
import type { Attrs, NewId, Node } from "../types.ts";
import { keepInline } from "./keep-inline.ts";
import { serialiseBlock } from "./serialise.ts";

/** Attributes that Markdown writes: what the text says about them counts. All others are kept from the stored node. */
const written: Readonly<Record<string, readonly string[]>> = {
  heading: ["level"],
  orderedList: ["start"],
  taskItem: ["checked"],
  codeBlock: ["language", "meta"],
  image: ["src", "attachmentId", "alt", "title", "width", "height"],
  tableHeader: ["align", "colspan", "rowspan"],
  tableCell: ["align", "colspan", "rowspan"],
  callout: ["kind"],
  details: ["open"],
  blockMath: ["latex"],
  attachment: ["attachmentId", "name", "src"],
  footnoteDefinition: ["label"],
  rawHtml: ["html"],
};

/** Parts have no Markdown of their own; inside this wrapping they have. */
const wrappers: Readonly<Record<string, (part: Node) => Node>> = {
  listItem: (part) => ({ type: "bulletList", content: [part] }),
  taskItem: (part) => ({ type: "taskList", content: [part] }),
  tableRow: (part) => ({ type: "table", content: [part] }),
  tableHeader: (part) => ({ type: "table", content: [{ type: "tableRow", content: [part] }] }),
  tableCell: (part) => ({ type: "table", content: [{ type: "tableRow", content: [part] }] }),
  detailsSummary: (part) => ({ ...part, type: "paragraph" }),
  detailsContent: (part) => ({ ...part, type: "blockquote" }),
};

/** A node's Markdown, as a key: equal for nodes that differ only in attributes Markdown cannot express. */
export const keyOf = (node: Node): string => `${node.type} ${serialiseBlock(wrappers[node.type]?.(node) ?? node).text}`;

/** Whether a node that was read is the stored one but for its ids: then Markdown says the same of both. */
export function sameButIds(stored: Node, read: Node): boolean {
  if (stored.type !== read.type || stored.text !== read.text) return false;
  if (!sameAttrs(stored.attrs, read.attrs) || !sameJson(stored.marks, read.marks)) return false;
  const [children, others] = [stored.content ?? NO_NODES, read.content ?? NO_NODES];
  return children.length === others.length && children.every((child, i) => sameButIds(child, others[i]!));
}

const NO_NODES: readonly Node[] = [];
const NO_ATTRS: Attrs = {};

function sameAttrs(stored: Attrs = NO_ATTRS, read: Attrs = NO_ATTRS): boolean {
  for (const name in stored) if (name !== "id" && !sameJson(stored[name], read[name])) return false;
  for (const name in read) if (name !== "id" && !Object.hasOwn(stored, name)) return false;
  return true;
}

function keptAttrs(stored: Node, node: Node): Attrs {
  const said = written[node.type] ?? [];
  const kept: Record<string, Attrs[string]> = {};
  const isOtherImage = node.type === "image" && stored.attrs?.src !== node.attrs?.src;
  for (const name in stored.attrs)
    if (name === "id" || (!said.includes(name) && !isOtherImage)) kept[name] = stored.attrs[name]!;
  return { ...kept, ...node.attrs };
}

type Pair = readonly [stored: number, read: number];

/** Pairs of equal children: the n-th of a kind with the n-th, wherever it stands now. */
function pairEqual(stored: readonly string[], read: readonly string[]): readonly Pair[] {
  const places = new Map<string, number[]>();
  for (let i = stored.length - 1; i >= 0; i--) {
    const list = places.get(stored[i]!);
    if (list) list.push(i);
    else places.set(stored[i]!, [i]);
  }
  const pairs: Pair[] = [];
  for (let i = 0; i < read.length; i++) {
    const place = places.get(read[i]!)?.pop();
    if (place !== undefined) pairs.push([place, i]);
  }
  return pairs;
}

/** The longest part of pairs that does not cross. */
const inOrder = (pairs: readonly Pair[]): readonly Pair[] =>
  longestIncreasing(pairs.map(([place]) => place)).map((index) => pairs[index]!);

/** Between two pairs, the remaining children of the same type are the same block with other content, in order. */
function pairSimilar(stored: Children, read: Children, from: Pair, to: Pair): readonly Pair[] {
  const pairs: Pair[] = [];
  let next = from[0] + 1;
  /** Types that do not come again: looked for once. */
  const gone = new Set<string>();
  for (let i = from[1] + 1; i < to[1]; i++) {
    const type = read[i]?.type;
    if (type === undefined || gone.has(type)) continue;
    let place = next;
    while (place < to[0] && stored[place]?.type !== type) place++;
    if (place >= to[0]) {
      gone.add(type);
      continue;
    }
    pairs.push([place, i]);
    next = place + 1;
  }
  return pairs;
}

/** Children, without those that have found their counterpart. */
type Children = readonly (Node | undefined)[];

const without = (children: readonly Node[], found: ReadonlySet<number>): Children =>
  children.map((child, i) => (found.has(i) ? undefined : child));

function reconcileChildren(stored: readonly Node[], read: readonly Node[]): readonly Node[] {
  const equal = pairEqual(stored.map(keyOf), read.map(keyOf));
  const result = [...read];
  for (const [place, i] of equal) result[i] = stored[place]!;
  const storedLeft = without(stored, new Set(equal.map(([place]) => place)));
  const readLeft = without(read, new Set(equal.map(([, i]) => i)));
  let from: Pair = [-1, -1];
  for (const to of [...inOrder(equal), [stored.length, read.length] as const]) {
    for (const [place, i] of pairSimilar(storedLeft, readLeft, from, to))
      result[i] = reconcile(stored[place]!, read[i]!);
    from = to;
  }
  return result;
}

const holdsBlocks = (node: Node): boolean => hasBlockId(node.content?.[0]?.type ?? "text");

/**
 * The node that was read with the ids of the stored one where they still match: equal parts are kept as they were
 * stored, wherever they stand; parts of the same type at the same place keep their id and what Markdown cannot say.
 */
export function reconcile(stored: Node, read: Node): Node {
  const isSame = stored.type === read.type;
  const node = isSame ? { ...read, attrs: keptAttrs(stored, read) } : read;
  if (!read.content) return node;
  if (holdsBlocks(read))
    return { ...node, content: reconcileChildren(holdsBlocks(stored) ? stored.content! : [], read.content) };
  return isSame ? { ...node, content: keepInline(stored.content ?? [], read.content) } : node;
}

/** Gives every block without an id a new one; `id` is for the node itself. */
export function withIds(node: Node, newId: NewId, id?: string): Node {
  if (!hasBlockId(node.type)) return node;
  const own = id ?? (typeof node.attrs?.id === "string" ? node.attrs.id : newId());
  const content =
    node.content && hasBlockId(node.content[0]?.type ?? "text")
      ? node.content.map((child) => withIds(child, newId))
      : node.content;
  if (
    own === node.attrs?.id &&
    (content === node.content || content?.every((child, i) => child === defined(node.content)[i]))
  )
    return node;
  const attrs = node.attrs?.id === undefined ? { id: own, ...node.attrs } : { ...node.attrs, id: own };
  // Nothing but what Markdown says: with its keys in order, as it will be stored.
  if (node.marks === undefined && node.text === undefined)
    return content ? { attrs, content, type: node.type } : { attrs, type: node.type };
  return { ...node, attrs, ...(content && { content }) };
}
