import { childBlocks, locate, nodeAt } from "../blocks/find.ts";
import { blockId } from "../schema/node.ts";
import type { Body, Node } from "../types.ts";
import { plainText } from "./text.ts";

/** A passage of a block's text as it was when somebody pointed at it. Offsets are UTF-16 units of that text. */
export interface Quote {
  readonly blockId: string;
  readonly text: string;
  readonly start: number;
  /** The text right before and after, which distinguishes equal passages. */
  readonly before: string;
  readonly after: string;
}

interface FoundQuote {
  readonly blockId: string;
  readonly start: number;
}

/** Characters kept on each side of a quote. */
export const QUOTE_CONTEXT = 32;

/** Passages that one search compares: a quote of one letter must not cost more than any other. */
const MAX_PASSAGES = 1000;

/**
 * Tells where quotes stand in a body now: in their own block wherever that is, otherwise in the block that has the most
 * alike passage. Undefined when no block has the text any more.
 */
export function quoteFinder(body: Body): (quote: Quote) => FoundQuote | undefined {
  let found: readonly TextBlock[] | undefined;
  return (quote) => {
    const own = blockWith(body.content, quote.blockId);
    const inOwn = own && bestIn([own], quote);
    if (inOwn) return inOwn;
    found ??= textBlocks(body.content);
    return bestIn(found, quote);
  };
}

interface TextBlock {
  readonly id: string;
  readonly text: string;
}

/** The innermost blocks that have text, in document order. */
function textBlocks(nodes: readonly Node[]): TextBlock[] {
  return nodes.flatMap((node) => {
    const children = childBlocks(node);
    if (children.length > 0) return textBlocks(children);
    const text = plainText(node);
    return text === "" ? [] : [{ id: blockId(node) ?? "", text }];
  });
}

/** A block by its id; one that holds others has the text of all of them. */
function blockWith(nodes: readonly Node[], id: string): TextBlock | undefined {
  const path = locate({ type: "doc", content: nodes }, id);
  return path && { id, text: plainText(nodeAt({ type: "doc", content: nodes }, path)) };
}

function bestIn(blocks: readonly TextBlock[], quote: Quote): FoundQuote | undefined {
  let left = MAX_PASSAGES;
  let best: (FoundQuote & { readonly likeness: number; readonly distance: number }) | undefined;
  for (const { id, text } of blocks)
    for (let start = text.indexOf(quote.text); start >= 0 && left-- > 0; start = text.indexOf(quote.text, start + 1)) {
      const likeness = likenessAt(text, start, quote);
      const distance = Math.abs(start - quote.start);
      if (!best || likeness > best.likeness || (likeness === best.likeness && distance < best.distance))
        best = { blockId: id, start, likeness, distance };
    }
  return best && { blockId: best.blockId, start: best.start };
}

/** How many characters around a passage are those that stood around the quote. */
function likenessAt(text: string, start: number, { text: quoted, before, after }: Quote): number {
  const end = start + quoted.length;
  let likeness = 0;
  for (let i = 1; i <= before.length && before.at(-i) === text[start - i]; i++) likeness++;
  for (let i = 0; i < after.length && after[i] === text[end + i]; i++) likeness++;
  return likeness;
}
