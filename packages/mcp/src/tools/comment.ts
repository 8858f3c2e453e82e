import * as z from "zod";
import { blockId, documentId, exactlyOne, markdown } from "../arguments.ts";
import { facts, lines } from "../text.ts";
import { writingTool } from "../tool.ts";

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
    const anchor = block_id === undefined ? undefined : { block_id, ...(quote !== undefined && { quote }) };
    const made = !said
      ? undefined
      : comment_id === undefined
        ? await client.post("/documents/{id}/comments", { path, body: { body: said, ...(anchor && { anchor }) } })
        : await client.post("/comments/{id}/replies", { path, body: { body: said } });
    if (resolve && comment_id !== undefined) await client.post("/comments/{id}/resolve", { path });
    if (reopen && comment_id !== undefined) await client.post("/comments/{id}/reopen", { path });
    const isChanged = resolve || reopen;
    const data = { comment_id: made?.data.id ?? comment_id ?? "", ...(isChanged && { resolved: resolve }) };
    return { text: lines(made ? "Said." : resolve ? "Resolved." : "Reopened.", facts(data)), data };
  },
});
