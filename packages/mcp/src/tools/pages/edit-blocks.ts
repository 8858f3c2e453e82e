import { isSuggested } from "@svc/sdk";
import * as z from "zod";
import { baseVersion, blockId, documentId, dryRun, exactlyOne, modeOf, suggest } from "../../arguments.ts";
import { MAX_CHARACTERS, toOperations } from "../../block-operations.ts";
import { writingTool } from "../../tool.ts";
import { suggestedOutcome, titleOf, writtenOutcome } from "../../written.ts";

const places = {
  document_start: z.literal(true).optional(),
  document_end: z.literal(true).optional(),
  before_block_id: blockId.optional(),
  after_block_id: blockId.optional(),
  parent_block_id: blockId.optional().describe("As its last child."),
  after_heading: z.string().min(1).max(2000).optional(),
};

const position = z
  .strictObject(places)
  .refine(exactlyOne(...Object.keys(places)), { error: `needs exactly one of ${Object.keys(places).join(", ")}` });

const markdown = z.string().min(1).max(MAX_CHARACTERS);

const operation = z.discriminatedUnion("op", [
  z.strictObject({ op: z.literal("insert"), position, markdown }),
  z.strictObject({ op: z.literal("replace"), block_id: blockId, markdown }),
  z.strictObject({
    op: z.literal("replace_text"),
    block_id: blockId.optional(),
    old: z.string().min(1).max(MAX_CHARACTERS).describe("Plain text, without Markdown signs."),
    new: z.string().max(MAX_CHARACTERS),
    expected_count: z.int().min(1).default(1),
  }),
  z.strictObject({ op: z.literal("delete"), block_id: blockId }),
  z.strictObject({ op: z.literal("move"), block_id: blockId, position }),
  z.strictObject({
    op: z.literal("set_attrs"),
    block_id: blockId,
    attrs: z.record(z.string(), z.unknown()).describe('Merged into its own, such as {"checked": true}.'),
  }),
]);

export const editBlocks = writingTool({
  name: "edit_blocks",
  title: "Edit blocks",
  set: "blocks",
  description:
    "Changes blocks by id, up to 100 operations, all or none. insert: markdown and one place (document_start … after_heading); replace: block_id, markdown (further blocks follow it); replace_text: old, new, in block_id or everywhere, expected_count places; delete: block_id; move: block_id and a place; set_attrs: block_id, attrs. For text edit_markdown is cheaper. Undo: roll_back.",
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
    const written = { document_id, base_version, dry_run, version, changed_block_ids, inserted_block_ids };
    return writtenOutcome(await titleOf(client, document_id), written);
  },
});
