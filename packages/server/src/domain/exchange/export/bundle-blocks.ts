import { attachmentIdOf } from "@svc/document/markdown/attachment-url";
import { mapShared } from "@svc/document/schema/node";
import type { Mark, Node } from "@svc/document/types";
import { shownBy } from "../../content/attachments/references.ts";

/** Addresses of exported items within the archive; undefined for items that are not exported. */
export interface BundleLinks {
  /** The page that a link's address leads to. */
  readonly pageLink: (href: string) => string | undefined;
  readonly attachmentLink: (attachmentId: string) => string | undefined;
}

/** Matches a document's URI and its fragment. */
export const documentUri = /^svc:\/\/doc\/(doc_[0-9A-Z]{26})(?:[/?][^#]*)?(?:#(.*))?$/s;

/** Rewrites links so that they work inside the archive. Used only to write Markdown. */
export const bundleBlocks = (blocks: readonly Node[], links: BundleLinks): readonly Node[] =>
  mapShared(blocks, (node) => {
    const attachmentId = shownBy(node);
    const file = attachmentId === undefined ? undefined : links.attachmentLink(attachmentId);
    if (file !== undefined) return showFile(node, file);
    const marks = node.marks && mapShared(node.marks, (mark) => relink(mark, links));
    const content = node.content && bundleBlocks(node.content, links);
    if (marks === node.marks && content === node.content) return node;
    return { ...node, ...(marks && { marks }), ...(content && { content }) };
  });

function relink(mark: Mark, links: BundleLinks): Mark {
  const href = mark.type === "link" ? mark.attrs?.href : undefined;
  if (typeof href !== "string") return mark;
  const attachmentId = attachmentIdOf(href);
  const target = links.pageLink(href) ?? (attachmentId && links.attachmentLink(attachmentId));
  if (!target) return mark;
  const { wiki: _, embed: __, ...attrs } = mark.attrs ?? {};
  return { ...mark, attrs: { ...attrs, href: target } };
}

/** An image gets the path of its file; a file block becomes a link to it. */
function showFile(node: Node, src: string): Node {
  const { attachmentId: _, wiki: __, name, ...attrs } = node.attrs ?? {};
  if (node.type !== "attachment") return { ...node, attrs: { ...attrs, ...(name !== undefined && { name }), src } };
  const label = typeof name === "string" && name !== "" ? name : decodeURIComponent(src.split("/").at(-1) ?? "file");
  const link: Node = { type: "text", text: label, marks: [{ type: "link", attrs: { href: src } }] };
  return { type: "paragraph", ...(attrs.id !== undefined && { attrs: { id: attrs.id } }), content: [link] };
}
