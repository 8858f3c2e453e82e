import { type NodeType, nodeTypes } from "@svc/document/schema/nodes";
import { mergeAttributes, Node } from "@tiptap/core";

/** What may stand in a node, in ProseMirror's words. */
export function contentOf({ children }: NodeType): string {
  switch (children) {
    case "blocks":
      return "block+";
    case "inline":
      return "inline*";
    case "text":
      return "text*";
    case "none":
      return "";
    default:
      return `(${children.join(" | ")})+`;
  }
}

/** What HTML calls a node: formulas as Tiptap's own extension and the service's HTML do. */
const htmlTypes: Readonly<Record<string, string>> = { inlineMath: "inline-math", blockMath: "block-math" };

/** A node of the schema that Tiptap has no extension for, as `<div data-type="…">` or `<span data-type="…">`. */
export function plainNode(name: string) {
  const type = nodeTypes[name]!;
  const isInline = type.kind === "inline";
  const tag = isInline ? "span" : "div";
  const isLeaf = type.children === "none";
  const htmlType = htmlTypes[name] ?? name;
  return Node.create({
    name,
    content: contentOf(type),
    inline: isInline,
    atom: isLeaf,
    // A box that is copied by itself is pasted with its frame, as quotes are.
    defining: type.children === "blocks",
    ...(type.kind !== "part" && { group: type.kind }),
    parseHTML: () => [...new Set([name, htmlType])].map((one) => ({ tag: `${tag}[data-type="${one}"]` })),
    renderHTML: ({ HTMLAttributes }) => {
      const attrs = mergeAttributes(HTMLAttributes, { "data-type": htmlType });
      return isLeaf ? [tag, attrs] : [tag, attrs, 0];
    },
  });
}
