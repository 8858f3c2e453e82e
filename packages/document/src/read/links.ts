import { childBlocks } from "../blocks/find.ts";
import { idOf } from "../schema/node.ts";
import type { Node } from "../types.ts";
import { plainText } from "./text.ts";

interface Link {
  /** The nearest block that the link is in. */
  readonly block_id: string;
  /** The top-level block that it is in. */
  readonly top_block_id: string;
  readonly href: string;
  /** The linked text on one line. */
  readonly anchor_text: string;
}

/** The links of a run of top-level blocks in document order. A link whose text changes marks on the way is one link. */
export function links(blocks: readonly Node[]): Link[] {
  const found: Link[] = [];
  for (const block of blocks) addLinks(found, block, idOf(block));
  return found;
}

function addLinks(found: Link[], block: Node, topId: string): void {
  const children = childBlocks(block);
  for (const child of children) addLinks(found, child, topId);
  if (children.length === 0 && block.content) addLineLinks(found, block.content, idOf(block), topId);
}

function addLineLinks(found: Link[], line: readonly Node[], blockId: string, topId: string): void {
  let href: string | undefined;
  let text = "";
  const close = () => {
    if (href === undefined) return;
    const anchor = text.replace(/\s+/gu, " ").trim();
    found.push({ block_id: blockId, top_block_id: topId, href, anchor_text: anchor });
  };
  for (const node of line) {
    const next = hrefOf(node);
    if (next !== href) {
      close();
      href = next;
      text = "";
    }
    if (href !== undefined) text += plainText(node);
  }
  close();
}

function hrefOf(node: Node): string | undefined {
  const href = node.marks?.find((mark) => mark.type === "link")?.attrs?.href;
  return typeof href === "string" ? href : undefined;
}
