import { childBlocks } from "@svc/document/blocks/find";
import { plainText } from "@svc/document/read/text";
import { idOf } from "@svc/document/schema/node";
import type { Node } from "@svc/document/types";

/** A block that contains text itself, not in nested blocks: the unit that search finds. */
type SearchableBlock = { readonly id: string; readonly text: string };

/** The searchable blocks in and below these blocks, in document order. */
export function searchableBlocks(blocks: readonly Node[]): SearchableBlock[] {
  const found: SearchableBlock[] = [];
  for (const node of lowestBlocks(blocks)) {
    const text = plainText(node);
    if (text !== "") found.push({ id: idOf(node), text });
  }
  return found;
}

/** The blocks in and below these without nested blocks, in document order. Those with text are searchable. */
export function lowestBlocks(blocks: readonly Node[]): Node[] {
  const found: Node[] = [];
  for (const block of blocks) collect(block, found);
  return found;
}

/** Uses a list of blocks to visit, because nesting may be deeper than the stack. */
function collect(block: Node, found: Node[]): void {
  const open: Node[] = [block];
  for (let node = open.pop(); node; node = open.pop()) {
    const children = childBlocks(node);
    for (let i = children.length - 1; i >= 0; i--) open.push(children[i]!);
    if (children.length === 0) found.push(node);
  }
}
