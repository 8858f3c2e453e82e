import { defined } from "@svc/document/defined";
import { mapShared } from "@svc/document/schema/node";
import type { Node } from "@svc/document/types";

const text = (node: Node): string => {
  const { alt, title } = node.attrs ?? {};
  return (typeof alt === "string" && alt) || (typeof title === "string" && title) || "Picture";
};

/** Loading a picture from another host would reveal the reader to it: the page has a link instead. */
function linkTo(node: Node): Node {
  const href = String(node.attrs?.src ?? "");
  const label: Node = { type: "text", text: `${text(node)} ↗`, marks: [{ type: "link", attrs: { href } }] };
  return node.type === "image" ? { type: "paragraph", content: [label] } : label;
}

const isOutside = (node: Node): boolean =>
  (node.type === "image" || node.type === "inlineImage") &&
  typeof node.attrs?.attachmentId !== "string" &&
  typeof node.attrs?.src === "string";

/** The blocks as the public page shows them. */
export const publicBlocks = (blocks: readonly Node[]): readonly Node[] =>
  mapShared(blocks, (node) => {
    if (isOutside(node)) return linkTo(node);
    const content = node.content && publicBlocks(node.content);
    return content === node.content ? node : { ...node, content: defined(content) };
  });
