import { nodeTypes } from "@svc/document/schema/nodes";
import type { Attrs, Json, Node } from "@svc/document/types";
import * as Y from "yjs";
import { nodesOf, readRuns, runsOf } from "./inline.ts";
import { isJson } from "./json.ts";

/**
 * A block as a Yjs element. Its type is an attribute, not the element's name: so a paragraph that becomes a heading keeps
 * what others type into it meanwhile. A line of text is one XmlText child that is there from the beginning.
 */
const ELEMENT = "b";
const TYPE = "@type";
/** Of top-level blocks: where they stand (order-key.ts). */
export const ORDER = "@order";

/** Attributes that begin like ours are written with one more sign. */
const stored = (name: string): string => (name.startsWith("@") ? `@${name}` : name);
const isOurs = (name: string): boolean => name.startsWith("@") && !name.startsWith("@@");
const original = (name: string): string => (name.startsWith("@@") ? name.slice(1) : name);

/** Nodes nested deeper cannot be part of a body. */
const MAX_DEPTH = 256;

/** The block cannot be read: only a forging client makes such a one. */
export class UnreadableBlock extends Error {}

type Form = "text" | "blocks" | "none";

/** How a node's children are kept. Unknown types are kept by what they hold. */
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

/** A new element with all of the node in it. `id` says whether the node's id is written: at the top level the key is it. */
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

/** The attributes that are written: all but the id of a top-level block. */
export function attrsOf(node: Node, withId: boolean): Attrs {
  if (withId || node.attrs?.id === undefined) return node.attrs ?? {};
  const { id: _key, ...rest } = node.attrs;
  return rest;
}

// Yjs keeps any value in an attribute; its types know strings only.
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

/** The node that an element holds. `id` is that of a top-level block. */
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

/** What an element had that is gone, from the values that were there then. */
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
      // Code takes no marks: what somebody formatted while another made it code is text.
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
