import type { Client } from "@svc/sdk";
import * as z from "zod";
import { exactlyOne, markdown } from "../../arguments.ts";
import { fenced } from "../../fence.ts";
import { facts, lines } from "../../text.ts";
import { writingTool } from "../../tool.ts";
import { titleOf } from "../../written.ts";

const emoji = z.string().min(1).max(64);

export const changeComment = writingTool({
  name: "change_comment",
  title: "Change, react to, delete or restore a comment",
  set: "notifications",
  description:
    "Changes the text of your own comment, deletes it or brings it back (restore), or sets or takes back a reaction on any comment.",
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
      restore: z.literal(true).optional(),
    })
    .refine(exactlyOne("text", "reaction", "remove_reaction", "delete", "restore"), {
      error: "Send exactly one of text, reaction, remove_reaction, delete, restore.",
    }),
  run: async (client, { comment_id: id, ...wanted }) => {
    const done = await change(client, id, wanted);
    return { text: lines(done, facts({ comment_id: id })), data: { comment_id: id } };
  },
});

interface Wanted {
  readonly text?: string | undefined;
  readonly reaction?: string | undefined;
  readonly remove_reaction?: string | undefined;
  readonly restore?: true | undefined;
}

function change(client: Client, id: string, { text, reaction, remove_reaction, restore }: Wanted): Promise<string> {
  if (text !== undefined) return changeText(client, id, text);
  if (reaction !== undefined || remove_reaction !== undefined) return react(client, id, reaction, remove_reaction);
  return restore ? bringBack(client, id) : remove(client, id);
}

/** Reads a comment and its page's title, which answers mention. */
async function readWithTitle(client: Client, id: string) {
  const { data } = await client.get("/comments/{id}", { path: { id } });
  return { ...data, title: await titleOf(client, data.document_id) };
}

async function changeText(client: Client, id: string, text: string): Promise<string> {
  const { title, version, body: was } = await readWithTitle(client, id);
  const body = { body: { format: "markdown" as const, content: text } };
  await client.patch("/comments/{id}", { path: { id }, ifMatch: version, body });
  return lines(`Changed on **${title}**. Undo: the same with the text that it was:`, fenced(was?.markdown ?? ""));
}

async function react(client: Client, id: string, added?: string, removed?: string): Promise<string> {
  if (added !== undefined) {
    await client.put("/comments/{id}/reactions/{emoji}", { path: { id, emoji: added } });
    return `Reacted. Undo: remove_reaction ${added}`;
  }
  await client.delete("/comments/{id}/reactions/{emoji}", { path: { id, emoji: removed ?? "" } });
  return `Reaction taken back. Undo: reaction ${removed}`;
}

async function remove(client: Client, id: string): Promise<string> {
  const { title, body } = await readWithTitle(client, id);
  await client.delete("/comments/{id}", { path: { id } });
  return lines(`Deleted on **${title}**. Undo: restore. It was:`, fenced(body?.markdown ?? ""));
}

async function bringBack(client: Client, id: string): Promise<string> {
  const { data } = await client.post("/comments/{id}/restore", { path: { id } });
  return `Back on **${await titleOf(client, data.document_id)}**. Undo: delete`;
}
