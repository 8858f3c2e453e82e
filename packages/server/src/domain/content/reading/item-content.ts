import { canonicalJson } from "@svc/document/canonical";
import { plainText } from "@svc/document/read/text";
import { estimateTokens } from "@svc/document/read/tokens";
import type { Node } from "@svc/document/types";
import { markdownOf } from "../../../bodies/parsing/block-markdown.ts";
import { WeakCache } from "../../../cache/weak-cache.ts";
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

const TOKENS: Record<ReadView, WeakCache<Node, number>> = {
  markdown: new WeakCache("tokens_markdown"),
  "plain-text": new WeakCache("tokens_plain_text"),
  "tiptap-json": new WeakCache("tokens_tiptap_json"),
  outline: new WeakCache("tokens_outline"),
};

/** The token cost of a block in a view; cached for as long as the block is in memory. */
export const tokensIn = (view: ReadView, node: Node): number =>
  TOKENS[view].getOrMake(node, () => {
    const content = contentIn(view, node);
    return estimateTokens(typeof content === "string" ? content : canonicalJson(content));
  });
