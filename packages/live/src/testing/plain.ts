import { sameJson } from "@svc/document/canonical";
import { joinText } from "@svc/document/schema/normalise";
import type { Node } from "@svc/document/types";

/** A node as a live state returns it: without empty lists, with well-formed text. */
export function plain(node: Node): Node {
  const { type, attrs, content, marks, text } = node;
  return {
    type,
    ...(attrs && Object.keys(attrs).length > 0 && { attrs }),
    ...(content && content.length > 0 && { content: joinText(content.map(plain)) }),
    ...(marks && marks.length > 0 && { marks }),
    ...(text !== undefined && { text: text.toWellFormed() }),
  };
}

/** Whether a live state and a body are equal, ignoring the order of attributes. */
export const sameBlocks = (a: readonly Node[], b: readonly Node[]): boolean =>
  a.length === b.length && a.every((block, i) => b[i] !== undefined && sameJson(plain(block), plain(b[i])));
