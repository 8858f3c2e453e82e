import * as z from "zod";
import { exactlyOne, markdown } from "../arguments.ts";
import { facts, lines } from "../text.ts";
import { writingTool } from "../tool.ts";

export const changeComment = writingTool({
  name: "change_comment",
  title: "Change, react to or delete a comment",
  set: "notifications",
  description: "Changes the text of your own comment, deletes it, or sets a reaction on any comment.",
  scopes: ["documents:write"],
  destructive: true,
  input: z
    .strictObject({
      comment_id: z.string().min(1).max(64),
      text: markdown("").min(1).optional(),
      reaction: z.string().min(1).max(64).optional().describe("One emoji."),
      delete: z.literal(true).optional(),
    })
    .refine(exactlyOne("text", "reaction", "delete"), { error: "Send exactly one of text, reaction, delete." }),
  run: async (client, { comment_id: id, text, reaction }) => {
    const path = { id };
    if (text !== undefined) {
      const { data: seen } = await client.get("/comments/{id}", { path });
      const body = { body: { format: "markdown" as const, content: text } };
      await client.patch("/comments/{id}", { path, ifMatch: seen.version, body });
    } else if (reaction !== undefined)
      await client.put("/comments/{id}/reactions/{emoji}", { path: { id, emoji: reaction } });
    else await client.delete("/comments/{id}", { path });
    const done = text !== undefined ? "Changed." : reaction !== undefined ? "Reacted." : "Deleted.";
    return { text: lines(done, facts({ comment_id: id })), data: { comment_id: id } };
  },
});
