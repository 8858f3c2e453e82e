import * as z from "zod";
import { baseVersion, documentId, dryRun } from "../arguments.ts";
import { writingTool } from "../tool.ts";
import { writtenOutcome } from "../written.ts";

export const rollBack = writingTool({
  name: "roll_back",
  title: "Roll a document back",
  description:
    "Brings an earlier state of a document back, as get_history numbers it. The state before is kept too, so this can be undone.",
  scopes: ["documents:write"],
  destructive: true,
  input: z.strictObject({
    document_id: documentId,
    seq: z.int().min(1).describe("Number of the state, of get_history."),
    base_version: baseVersion,
    dry_run: dryRun,
  }),
  run: async (client, { document_id, seq, base_version, dry_run }) => {
    const { data } = await client.post("/documents/{id}/versions/{seq}/rollback", {
      path: { id: document_id, seq },
      query: { dry_run },
      ifMatch: base_version,
    });
    return writtenOutcome({ document_id, base_version, dry_run, ...data });
  },
});
