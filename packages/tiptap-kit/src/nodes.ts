import { type NodeType, nodeTypes } from "@svc/document/schema/nodes";
import { mergeAttributes, Node } from "@tiptap/core";

/** A node's allowed content as a ProseMirror expression. */
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

/** The HTML names of formulas, as in Tiptap's own extension and the service's HTML. */
const htmlTypes: Readonly<Record<string, string>> = { inlineMath: "inline-math", blockMath: "block-math" };

/** A schema node without a Tiptap extension, as `<div data-type="…">` or `<span data-type="…">`. */
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
    // A box that is copied alone is pasted with its frame, like a quote.
    defining: type.children === "blocks",
    ...(type.kind !== "part" && { group: type.kind }),
    parseHTML: () => [...new Set([name, htmlType])].map((one) => ({ tag: `${tag}[data-type="${one}"]` })),
    renderHTML: ({ HTMLAttributes }) => {
      const attrs = mergeAttributes(HTMLAttributes, { "data-type": htmlType });
      return isLeaf ? [tag, attrs] : [tag, attrs, 0];
    },
  });
}
