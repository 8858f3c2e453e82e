import { isAlike } from "@svc/document/schema/keep-stored";
import { blockId, mapShared, withAttrs, withContent } from "@svc/document/schema/node";
import type { Body, Node } from "@svc/document/types";
import type { Schema } from "@tiptap/pm/model";

/**
 * Restores the attributes that an editor dropped because its schema does not know them: an untouched block comes back
 * as it was opened, an edited one keeps its own unknown attributes.
 */
export function keepUnknown(schema: Schema, opened: Partial<Body>, saved: Partial<Body>): Body {
  const known = new Map<string, Node>();
  index(opened.content ?? [], known);
  // Editors save an empty document without any content.
  return { type: "doc", content: mapShared(saved.content ?? [], (node) => restored(schema, known, node)) };
}

function index(nodes: readonly Node[], known: Map<string, Node>): void {
  for (const node of nodes) {
    const id = blockId(node);
    if (id === undefined) continue;
    known.set(id, node);
    index(node.content ?? [], known);
  }
}

function restored(schema: Schema, known: ReadonlyMap<string, Node>, node: Node): Node {
  const was = known.get(blockId(node) ?? "");
  if (was?.type === node.type && isAlike(schema.nodeFromJSON(was).toJSON(), node)) return was;
  const content = node.content && mapShared(node.content, (child) => restored(schema, known, child));
  const whole = content && content !== node.content ? withContent(node, content) : node;
  if (was?.type !== node.type) return whole;
  const unknown = Object.entries(was.attrs ?? {}).filter(
    ([name]) => !(name in (schema.nodes[was.type]?.spec.attrs ?? {})),
  );
  return unknown.length === 0 ? whole : withAttrs(whole, { ...Object.fromEntries(unknown), ...whole.attrs });
}
