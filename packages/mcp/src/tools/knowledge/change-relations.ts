import type { Answer, Client } from "@svc/sdk";
import * as z from "zod";
import { blockId, documentId } from "../../arguments.ts";
import { statedPredicates } from "../../predicates.ts";
import { facts, lines } from "../../text.ts";
import { writingTool } from "../../tool.ts";
import { titleOf } from "../../written.ts";

const change = z.discriminatedUnion("action", [
  z.strictObject({
    action: z.literal("add"),
    source_document_id: documentId,
    source_block_id: blockId.describe("The block that says it."),
    predicate: z.enum(statedPredicates).describe("Read as: source predicate target."),
    target_uri: z.string().max(500).describe("svc://doc/<document_id>, with #block=<block_id> for a block."),
    anchor_text: z.string().max(500).optional().describe("What it is about, in a few words."),
  }),
  z.strictObject({
    action: z.literal("remove"),
    relation_id: z.string().min(1).max(100).describe("Of get_relations; a link in a text has none: edit the text."),
  }),
]);

export const changeRelations = writingTool({
  name: "change_relations",
  title: "State or remove a relation",
  set: "knowledge",
  description:
    "States that one document supports, contradicts, depends on, extends, … another (add: all but relation_id; anchor_text optional), or takes that back (remove: relation_id). A plain link needs no relation: write [text](svc://doc/<document_id>) into the text.",
  scopes: ["documents:write"],
  destructive: true,
  output: z.object({ relation_id: z.string() }),
  input: z.strictObject({ change }),
  run: async (client, { change: wanted }) => {
    if (wanted.action === "remove") {
      const path = { id: wanted.relation_id };
      const { data: gone } = await client.get("/relations/{id}", { path });
      await client.delete("/relations/{id}", { path });
      return { text: await removedText(client, gone), data: { relation_id: gone.id } };
    }
    const { action: _, ...body } = wanted;
    const { data } = await client.post("/relations", { body });
    const undo = facts({ relation_id: data.id });
    return {
      text: lines(`${await sentenceOf(client, data)}. Undo: action remove.`, undo),
      data: { relation_id: data.id },
    };
  },
});

type Stated = Answer<"/relations/{id}">["data"];

/** **One page** supports **another**: what a relation says, by the titles of both. */
async function sentenceOf(client: Client, { source_document_id, predicate, target_document_id, target_uri }: Stated) {
  const target = target_document_id && (await titleOf(client, target_document_id).catch(() => undefined));
  return `**${await titleOf(client, source_document_id)}** ${predicate} ${target ? `**${target}**` : target_uri}`;
}

/** Describes the removed relation, and the call that restores it. */
async function removedText(client: Client, gone: Stated): Promise<string> {
  const { source_document_id, source_block_id, predicate, target_uri, anchor_text } = gone;
  const again = { action: "add", source_document_id, source_block_id, predicate, target_uri, anchor_text };
  return lines(`Removed: ${await sentenceOf(client, gone)}. Undo:`, facts(again));
}
