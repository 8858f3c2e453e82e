import { isSuggested } from "@svc/sdk";
import * as z from "zod";
import { baseVersion, blockId, documentId, dryRun, exactlyOne, modeOf, suggest } from "../arguments.ts";
import { MAX_CHARACTERS, toOperations } from "../block-operations.ts";
import { writingTool } from "../tool.ts";
import { suggestedOutcome, writtenOutcome } from "../written.ts";

const places = {
  document_start: z.literal(true).optional(),
  document_end: z.literal(true).optional(),
  before_block_id: blockId.optional(),
  after_block_id: blockId.optional(),
  parent_block_id: blockId.optional().describe("As the last child of this container."),
  after_heading: z.string().min(1).max(2000).optional().describe("Right after the first heading with this text."),
};

const position = z
  .strictObject(places)
  .refine(exactlyOne(...Object.keys(places)), { error: `needs exactly one of ${Object.keys(places).join(", ")}` })
  .describe('Exactly one of the members, such as {"after_block_id": "block_…"}.');

const markdown = z
  .string()
  .min(1)
  .max(MAX_CHARACTERS)
  .describe("Markdown of one or more blocks, without anchor comments.");

export const operation = z.discriminatedUnion("op", [
  z.strictObject({ op: z.literal("insert"), position, markdown }),
  z.strictObject({ op: z.literal("replace"), block_id: blockId, markdown }),
  z.strictObject({
    op: z.literal("replace_text"),
    block_id: blockId.optional().describe("Only in this block; left out: in the whole document."),
    old: z.string().min(1).max(MAX_CHARACTERS).describe("The text as it stands there, without Markdown signs."),
    new: z.string().max(MAX_CHARACTERS).describe("The text in its place."),
    expected_count: z.int().min(1).default(1).describe("How many places there must be; all of them are replaced."),
  }),
  z.strictObject({ op: z.literal("delete"), block_id: blockId }),
  z.strictObject({ op: z.literal("move"), block_id: blockId, position }),
  z.strictObject({
    op: z.literal("set_attrs"),
    block_id: blockId,
    attrs: z
      .record(z.string(), z.unknown())
      .describe('Merged into the block\'s own, such as {"checked": true} of a task.'),
  }),
]);

export const editBlocks = writingTool({
  name: "edit_blocks",
  title: "Edit blocks",
  set: "blocks",
  description:
    "Changes blocks of a document, up to 100 operations, all or none; each sees the effect of those before it. A replaced block keeps its id; where the Markdown has several blocks, the rest follow it. The state before is kept: roll_back brings it back. Answers the new version for the next edit.",
  scopes: ["documents:write"],
  suggestible: true,
  destructive: true,
  input: z.strictObject({
    document_id: documentId,
    base_version: baseVersion,
    operations: z.array(operation).min(1).max(100),
    suggest,
    dry_run: dryRun,
  }),
  run: async (client, { document_id, base_version, operations, suggest: asSuggestion, dry_run }) => {
    const { data } = await client.post("/documents/{id}/batch", {
      path: { id: document_id },
      query: { ...modeOf(asSuggestion), dry_run },
      body: { base_version, operations: toOperations(operations) },
    });
    if (isSuggested(data)) return suggestedOutcome(document_id, data);
    const { version, changed_block_ids, blocks } = data;
    const inserted_block_ids = blocks.map(({ id }) => id);
    return writtenOutcome({ document_id, base_version, dry_run, version, changed_block_ids, inserted_block_ids });
  },
});
