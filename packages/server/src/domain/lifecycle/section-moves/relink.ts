import { defined } from "@svc/document/defined";
import { links } from "@svc/document/read/links";
import { mapShared, withContent } from "@svc/document/schema/node";
import type { Node } from "@svc/document/types";

/** Blocks that moved from one document to another. */
export interface Moved {
  readonly from: string;
  readonly to: string;
  readonly blockIds: ReadonlySet<string>;
}

/** The new address of a link to a moved block; any other link unchanged. */
function newHref(href: string, { from, to, blockIds }: Moved): string {
  const block = /block_[0-9A-HJKMNP-TV-Z]{26}/.exec(href)?.[0];
  return block !== undefined && blockIds.has(block) ? href.replaceAll(from, to) : href;
}

/** Rewrites links to moved blocks. */
export const relink = (blocks: readonly Node[], moved: Moved): readonly Node[] =>
  mapShared(blocks, (node) => relinkNode(node, moved));

function relinkNode(node: Node, moved: Moved): Node {
  const marks = node.marks && relinkMarks(node.marks, moved);
  const content = node.content && relink(node.content, moved);
  const kept = marks === node.marks ? node : { ...node, marks: defined(marks) };
  return content === node.content ? kept : withContent(kept, defined(content));
}

const relinkMarks = (marks: NonNullable<Node["marks"]>, moved: Moved): NonNullable<Node["marks"]> =>
  mapShared(marks, (mark) => {
    const href = mark.attrs?.href;
    const next = mark.type === "link" && typeof href === "string" ? newHref(href, moved) : href;
    return next === href ? mark : { ...mark, attrs: { ...mark.attrs, href: defined(next) } };
  });

/** Blocks with a link to a moved block. */
export const blocksLinking = (blocks: readonly Node[], moved: Moved): string[] => [
  ...new Set(links(blocks).flatMap(({ block_id, href }) => (newHref(href, moved) === href ? [] : block_id))),
];
