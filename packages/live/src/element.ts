import { nodeTypes } from "@svc/document/schema/nodes";
import type { Attrs, Json, Node } from "@svc/document/types";
import * as Y from "yjs";
import { nodesOf, readRuns, runsOf } from "./inline.ts";
import { isJson } from "./json.ts";

/**
 * A block as a Yjs element. The block's type is an attribute instead of the element's name, so a paragraph that becomes
 * a heading keeps the text that others type into it meanwhile. A line of text is a single XmlText child, created with
 * the element.
 */
const ELEMENT = "b";
const TYPE = "@type";
/** The attribute with a top-level block's order key (order-key.ts). */
export const ORDER = "@order";

/** Node attributes that start with `@` are stored with a second `@`, apart from our own. */
const stored = (name: string): string => (name.startsWith("@") ? `@${name}` : name);
const isOurs = (name: string): boolean => name.startsWith("@") && !name.startsWith("@@");
const original = (name: string): string => (name.startsWith("@@") ? name.slice(1) : name);

/** Nodes nested deeper cannot be part of a body. */
const MAX_DEPTH = 256;

/** A block that cannot be decoded; only a forging client can create one. */
export class UnreadableBlock extends Error {}

type Form = "text" | "blocks" | "none";

/** How a node's children are stored. For unknown types the content decides. */
export function formOf({ type, content = [] }: Node): Form {
  switch (nodeTypes[type]?.children) {
    case "inline":
    case "text":
      return "text";
    case "none":
      return "none";
    case undefined:
      return content.some((child) => child.type === "text" || nodeTypes[child.type]?.kind === "inline")
        ? "text"
        : "blocks";
    default:
      return "blocks";
  }
}

/** Encodes a node as a new element. `withId` is false for top-level blocks, whose id is the map key. */
export function encodeElement(node: Node, withId = true): Y.XmlElement {
  const element = new Y.XmlElement(ELEMENT);
  setType(element, node.type);
  for (const [name, value] of Object.entries(attrsOf(node, withId))) setAttribute(element, stored(name), value);
  const form = formOf(node);
  if (form === "text") element.insert(0, [encodeText(node.content ?? [])]);
  else if (form === "blocks" && node.content?.length)
    element.insert(
      0,
      node.content.map((child) => encodeElement(child)),
    );
  return element;
}

export function encodeText(nodes: readonly Node[]): Y.XmlText {
  const text = new Y.XmlText();
  if (nodes.length > 0) text.applyDelta(runsOf(nodes));
  return text;
}

/** The attributes to store: all of them, except the id of a top-level block. */
export function attrsOf(node: Node, withId: boolean): Attrs {
  if (withId || node.attrs?.id === undefined) return node.attrs ?? {};
  const { id: _key, ...rest } = node.attrs;
  return rest;
}

// Yjs stores any value in an attribute, but its types only allow strings.
type AnyElement = Y.XmlElement<Record<string, Json>>;
export const setAttribute = (element: Y.XmlElement, name: string, value: Json): void =>
  (element as unknown as AnyElement).setAttribute(name, value);
export const setNodeAttribute = (element: Y.XmlElement, name: string, value: Json): void =>
  setAttribute(element, stored(name), value);
export const removeNodeAttribute = (element: Y.XmlElement, name: string): void => element.removeAttribute(stored(name));
export const setType = (element: Y.XmlElement, type: string): void => setAttribute(element, TYPE, type);

export const orderOf = (element: Y.XmlElement): unknown => element.getAttribute(ORDER);
export const typeOf = (element: Y.XmlElement): string => {
  const type: unknown = element.getAttribute(TYPE);
  return typeof type === "string" ? type : "";
};

/** Decodes the node in an element. `id` is the id of a top-level block. */
export function decodeElement(element: Y.XmlElement, id?: string, depth = 0): Node {
  if (depth >= MAX_DEPTH) throw new UnreadableBlock(`nested deeper than ${MAX_DEPTH} levels`);
  const type = typeOf(element);
  const attrs = readAttrs(element, id);
  const content = readContent(element, type, depth);
  return {
    type,
    ...(Object.keys(attrs).length > 0 && { attrs }),
    ...(content.length > 0 && { content }),
  };
}

export function readAttrs(element: Y.XmlElement, id?: string): Record<string, Json> {
  const attrs: Record<string, Json> = {};
  for (const [name, value] of Object.entries<unknown>(element.getAttributes()))
    if (!isOurs(name) && isJson(value)) attrs[original(name)] = value;
  if (id !== undefined) attrs.id = id;
  return attrs;
}

/** Reads the type, attributes and order key that a deleted element had. */
export function readFormer(element: Y.XmlElement, wasThere: (item: Y.Item) => boolean) {
  const values = new Map<string, unknown>();
  for (const [name, item] of element._map) if (wasThere(item)) values.set(name, item.content.getContent().at(-1));
  const attrs: Record<string, Json> = {};
  for (const [name, value] of values) if (!isOurs(name) && isJson(value)) attrs[original(name)] = value;
  return { type: String(values.get(TYPE) ?? ""), order: values.get(ORDER), attrs };
}

function readContent(element: Y.XmlElement, type: string, depth: number): readonly Node[] {
  const children = element.toArray();
  switch (nodeTypes[type]?.children) {
    case "none":
      return [];
    case "inline":
      return nodesOf(children.flatMap(runsIn));
    case "text":
      // Code has no marks: if one person formats text while another turns it into code, the plain text remains.
      return nodesOf(children.flatMap(runsIn).flatMap(({ insert }) => (typeof insert === "string" ? { insert } : [])));
    case undefined: {
      const runs = children.flatMap(runsIn);
      return runs.length > 0 ? nodesOf(runs) : blocksIn(children, depth);
    }
    default:
      return blocksIn(children, depth);
  }
}

type Child = ReturnType<Y.XmlElement["toArray"]>[number];
const runsIn = (child: Child) => (child instanceof Y.XmlText ? readRuns(child) : []);
const blocksIn = (children: readonly Child[], depth: number): Node[] =>
  children.flatMap((child) => (child instanceof Y.XmlElement ? decodeElement(child, undefined, depth + 1) : []));
