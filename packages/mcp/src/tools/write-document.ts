import { isSuggested } from "@svc/sdk";
import * as z from "zod";
import { baseVersion, documentId, dryRun, markdown, modeOf, suggest } from "../arguments.ts";
import { writingTool } from "../tool.ts";
import { suggestedOutcome, writtenOutcome } from "../written.ts";

export const writeDocument = writingTool({
  name: "write_document",
  title: "Rewrite a document",
  description:
    "Replaces the whole text of a document by Markdown. A block that stays or is only edited keeps its id, and with it links, evidence and translations; where much is rewritten, keep the anchor comments of read_document before the blocks that stay. Front matter (YAML between `---` at the start) sets the properties; without it they stay. For small changes edit_blocks is better. The state before is kept: roll_back brings it back.",
  scopes: ["documents:write"],
  suggestible: true,
  destructive: true,
  idempotent: true,
  input: z.strictObject({
    document_id: documentId,
    base_version: baseVersion,
    markdown: markdown("The whole new text, with or without anchor comments."),
    suggest,
    dry_run: dryRun,
  }),
  run: async (client, { document_id, base_version, markdown: content, suggest: asSuggestion, dry_run }) => {
    const { data } = await client.put("/documents/{id}/content", {
      path: { id: document_id },
      query: { ids: "match", ...modeOf(asSuggestion), dry_run },
      ifMatch: base_version,
      body: { format: "markdown", content },
    });
    if (isSuggested(data)) return suggestedOutcome(document_id, data);
    return writtenOutcome({ document_id, base_version, dry_run, ...data });
  },
});
