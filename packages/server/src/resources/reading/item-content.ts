import { canonicalJson } from "@svc/document/canonical";
import { plainText } from "@svc/document/read/text";
import { estimateTokens } from "@svc/document/read/tokens";
import type { Node } from "@svc/document/types";
import { markdownOf } from "../content/block-markdown.ts";
import type { ReadView } from "./schema.ts";

const headingLine = (node: Node): string =>
  `${"#".repeat(Number(node.attrs?.level ?? 1))} ${plainText(node).replace(/\s+/g, " ").trim()}`;

const contents: Record<ReadView, (node: Node) => string | Node> = {
  markdown: markdownOf,
  "plain-text": plainText,
  "tiptap-json": (node) => node,
  outline: headingLine,
};

export const contentIn = (view: ReadView, node: Node): string | Node => contents[view](node);

const known: Record<ReadView, WeakMap<Node, number>> = {
  markdown: new WeakMap(),
  "plain-text": new WeakMap(),
  "tiptap-json": new WeakMap(),
  outline: new WeakMap(),
};

/** What a block costs in a view; counted once for as long as the block is in memory. */
export function tokensIn(view: ReadView, node: Node): number {
  const counted = known[view].get(node);
  if (counted !== undefined) return counted;
  const content = contentIn(view, node);
  const tokens = estimateTokens(typeof content === "string" ? content : canonicalJson(content));
  known[view].set(node, tokens);
  return tokens;
}
