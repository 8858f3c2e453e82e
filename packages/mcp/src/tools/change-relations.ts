import * as z from "zod";
import { blockId, documentId } from "../arguments.ts";
import { statedPredicates } from "../predicates.ts";
import { facts, lines } from "../text.ts";
import { writingTool } from "../tool.ts";
import { titleOf } from "../written.ts";

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
      const { relation_id } = wanted;
      await client.delete("/relations/{id}", { path: { id: relation_id } });
      return { text: `The relation ${relation_id} is removed.`, data: { relation_id } };
    }
    const { action: _, ...body } = wanted;
    const { data } = await client.post("/relations", { body });
    const title = await titleOf(client, data.source_document_id);
    const made = { relation_id: data.id, target: data.target_uri };
    return {
      text: lines(`**${title}** ${data.predicate} the target. Undo: action remove.`, facts(made)),
      data: { relation_id: data.id },
    };
  },
});
