import * as z from "zod";
import { blockId, documentId } from "../arguments.ts";
import { statedPredicates } from "../predicates.ts";
import { facts, lines } from "../text.ts";
import { writingTool } from "../tool.ts";

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
    "States that one document supports, contradicts, depends on, extends, … another, or takes such a statement back. A plain link needs no relation: write [text](svc://doc/<document_id>) into the text.",
  scopes: ["documents:write"],
  destructive: true,
  input: z.strictObject({ change }),
  run: async (client, { change: wanted }) => {
    if (wanted.action === "remove") {
      const { relation_id } = wanted;
      await client.delete("/relations/{id}", { path: { id: relation_id } });
      return { text: "The relation is removed.", data: { relation_id, deleted: true } };
    }
    const { action: _, ...body } = wanted;
    const { data } = await client.post("/relations", { body });
    const made = { relation_id: data.id, predicate: data.predicate, target_uri: data.target_uri };
    return { text: lines("The relation is stated.", facts(made)), data: made };
  },
});
