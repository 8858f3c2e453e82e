import type { Attrs, Json, Node } from "@svc/document/types";
import { keepUnknown } from "@svc/tiptap-kit/keep-unknown";
import type { Node as EditorNode, Schema } from "@tiptap/pm/model";

interface AttributeSpecs {
  readonly [name: string]: { readonly default?: unknown };
}

/** Attributes that say something: an editor writes all that its schema knows, with their defaults. */
function lean(attrs: Attrs | undefined, specs: AttributeSpecs): Attrs | undefined {
  const kept = Object.entries(attrs ?? {}).filter(
    ([name, value]) => name === "id" || name === "level" || (value !== null && value !== specs[name]?.default),
  );
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}

function leanNode(schema: Schema, node: Node): Node {
  const attrs = lean(node.attrs, schema.nodes[node.type]?.spec.attrs ?? {});
  const marks = node.marks?.map((mark) => {
    const own = lean(mark.attrs, schema.marks[mark.type]?.spec.attrs ?? {});
    return own ? { type: mark.type, attrs: own } : { type: mark.type };
  });
  return {
    type: node.type,
    ...(attrs && { attrs }),
    ...(node.content && { content: node.content.map((child) => leanNode(schema, child)) }),
    ...(marks && { marks }),
    ...(node.text !== undefined && { text: node.text }),
  };
}

/** A top-level block of the editor as the body has it. `before` is its last form there: what did not change keeps it. */
export function blockJson(block: EditorNode, before: Node | undefined): Node {
  const { schema } = block.type;
  const saved = leanNode(schema, block.toJSON() as Node);
  const opened = before ? [before] : [];
  return keepUnknown(schema, { type: "doc", content: opened }, { type: "doc", content: [saved] }).content[0]!;
}

/** The editor's node of a block; undefined for one that its schema cannot read, which is then shown as it is and kept. */
export function editorNode(schema: Schema, block: Node): EditorNode {
  const node = schema.nodeFromJSON(block);
  node.check();
  return node;
}

export const idOfNode = (node: EditorNode): string | undefined => {
  const id: Json | undefined = node.attrs.id;
  return typeof id === "string" ? id : undefined;
};

export const childrenOf = (node: EditorNode): EditorNode[] =>
  Array.from({ length: node.childCount }, (_, i) => node.child(i));
