import type { Client } from "@svc/sdk";
import * as z from "zod";
import { blockId, documentId, exactlyOne, markdown } from "../../arguments.ts";
import { short } from "../../short.ts";
import { facts, lines, oneLine } from "../../text.ts";
import { writingTool } from "../../tool.ts";
import { UsageError } from "../../usage-error.ts";

/** Finds the block that contains a passage. */
async function blockOfQuote(client: Client, id: string, quote: string): Promise<string> {
  const { data } = await client.get("/documents/{id}/blocks", { path: { id }, query: { recursive: true } });
  const holding = data.filter((block) => block.text.includes(quote));
  // A container's text includes that of its children.
  const parents = new Set(holding.map((block) => block.parent_id));
  const found = holding.filter((block) => !parents.has(block.id));
  if (found.length === 1) return found[0]!.id;
  const places = found.slice(0, 10).map((block) => `\n- ${short(block.id)}: ${oneLine(block.text, 100)}`);
  throw found.length === 0
    ? new UsageError(
        "**text_not_found**: the quote does not stand in any block.",
        "quote words as read_document shows.",
      )
    : new UsageError(
        `**text_ambiguous**: the quote stands in ${found.length} blocks.${places.join("")}`,
        "add block_id.",
      );
}

export const comment = writingTool({
  name: "comment",
  title: "Comment, reply, resolve",
  set: "review",
  description:
    "Opens a thread on a document, or on a block or quoted passage of it; with comment_id replies, ends the thread with resolve, opens it again with reopen.",
  scopes: ["documents:write"],
  discusses: true,
  output: z.object({ comment_id: z.string(), resolved: z.boolean().optional() }),
  input: z
    .strictObject({
      document_id: documentId.optional(),
      comment_id: z.string().min(1).max(64).optional(),
      text: markdown("").min(1).optional(),
      block_id: blockId.optional(),
      quote: z.string().min(1).max(10_000).optional(),
      resolve: z.boolean().default(false),
      reopen: z.boolean().default(false),
    })
    .refine(exactlyOne("document_id", "comment_id"), { error: "Send exactly one of document_id, comment_id." })
    .refine(({ text, resolve, reopen }) => text !== undefined || resolve !== reopen, {
      error: "Send a text, resolve or reopen.",
    }),
  run: async (client, { document_id, comment_id, text, block_id, quote, resolve, reopen }) => {
    const said = text === undefined ? undefined : { format: "markdown" as const, content: text };
    const path = { id: comment_id ?? document_id! };
    const anchored = block_id ?? (document_id && quote && (await blockOfQuote(client, document_id, quote)));
    const anchor = anchored ? { block_id: anchored, ...(quote !== undefined && { quote }) } : undefined;
    const made = !said
      ? undefined
      : comment_id === undefined
        ? await client.post("/documents/{id}/comments", { path, body: { body: said, ...(anchor && { anchor }) } })
        : await client.post("/comments/{id}/replies", { path, body: { body: said } });
    if (resolve && comment_id !== undefined) await client.post("/comments/{id}/resolve", { path });
    if (reopen && comment_id !== undefined) await client.post("/comments/{id}/reopen", { path });
    const isChanged = resolve || reopen;
    const data = { comment_id: made?.data.id ?? comment_id ?? "", ...(isChanged && { resolved: resolve }) };
    return {
      text: lines(made ? "Said." : resolve ? "Resolved. Undo: reopen." : "Reopened. Undo: resolve.", facts(data)),
      data,
    };
  },
});
