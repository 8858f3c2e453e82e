import type { Client } from "@svc/sdk";
import * as z from "zod";
import { exactlyOne, markdown } from "../arguments.ts";
import { fenced } from "../fence.ts";
import { facts, lines } from "../text.ts";
import { writingTool } from "../tool.ts";

const emoji = z.string().min(1).max(64);

export const changeComment = writingTool({
  name: "change_comment",
  title: "Change, react to or delete a comment",
  set: "notifications",
  description: "Changes the text of your own comment, deletes it, or sets or takes back a reaction on any comment.",
  scopes: ["documents:write"],
  discusses: true,
  destructive: true,
  input: z
    .strictObject({
      comment_id: z.string().min(1).max(64),
      text: markdown("").min(1).optional(),
      reaction: emoji.optional().describe("One emoji."),
      remove_reaction: emoji.optional(),
      delete: z.literal(true).optional(),
    })
    .refine(exactlyOne("text", "reaction", "remove_reaction", "delete"), {
      error: "Send exactly one of text, reaction, remove_reaction, delete.",
    }),
  run: async (client, { comment_id: id, text, reaction, remove_reaction }) => {
    const done =
      text !== undefined
        ? await changeText(client, id, text)
        : (reaction ?? remove_reaction) !== undefined
          ? await react(client, id, reaction, remove_reaction)
          : await remove(client, id);
    return { text: lines(done, facts({ comment_id: id })), data: { comment_id: id } };
  },
});

async function changeText(client: Client, id: string, text: string): Promise<string> {
  const { data } = await client.get("/comments/{id}", { path: { id } });
  const body = { body: { format: "markdown" as const, content: text } };
  await client.patch("/comments/{id}", { path: { id }, ifMatch: data.version, body });
  return lines("Changed. It was:", fenced(data.body?.markdown ?? ""));
}

async function react(client: Client, id: string, added?: string, removed?: string): Promise<string> {
  if (added !== undefined) await client.put("/comments/{id}/reactions/{emoji}", { path: { id, emoji: added } });
  if (removed !== undefined) await client.delete("/comments/{id}/reactions/{emoji}", { path: { id, emoji: removed } });
  return added === undefined ? "Reaction taken back." : "Reacted.";
}

async function remove(client: Client, id: string): Promise<string> {
  const { data } = await client.get("/comments/{id}", { path: { id } });
  await client.delete("/comments/{id}", { path: { id } });
  return lines("Deleted. It was:", fenced(data.body?.markdown ?? ""));
}
