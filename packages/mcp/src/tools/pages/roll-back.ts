import type { Client } from "@svc/sdk";
import * as z from "zod";
import { baseVersion, documentId, dryRun } from "../../arguments.ts";
import { facts, lines, oneLine, time } from "../../text.ts";
import { writingTool } from "../../tool.ts";
import { UsageError } from "../../usage-error.ts";

export const rollBack = writingTool({
  name: "roll_back",
  title: "Roll a document back",
  set: "core",
  description:
    "Undoes the last change of a document's text, or with seq brings back that state of get_history. The state before is kept too.",
  scopes: ["documents:write"],
  destructive: true,
  hidden: ["base_version", "dry_run", "properties"],
  input: z.strictObject({
    document_id: documentId,
    seq: z.int().min(1).optional(),
    base_version: baseVersion.default("*"),
    dry_run: dryRun,
    properties: z.string().max(20_000).optional(),
  }),
  run: async (client, { document_id, seq, base_version, dry_run, properties }) => {
    const state = seq === undefined ? await lastState(client, document_id) : { seq };
    const { data } = await client.post("/documents/{id}/versions/{seq}/rollback", {
      path: { id: document_id, seq: state.seq },
      query: { dry_run },
      ifMatch: base_version,
    });
    if (properties !== undefined && !dry_run)
      await client.put("/documents/{id}/properties", {
        path: { id: document_id },
        ifMatch: "*",
        body: { source: properties },
      });
    const { data: document } = await client.get("/documents/{id}", { path: { id: document_id } });
    const done = dry_run ? "Would be" : "Is";
    const until = "created_at" in state ? `, as it was until ${time(Number(state.created_at))}` : "";
    return {
      text: lines(
        `**${oneLine(document.title)}**: ${done} at state ${state.seq} again${until}. ${dry_run ? "" : "Undo: roll_back. "}${facts({ version: data.version })}`,
      ),
    };
  },
});

async function lastState(client: Client, id: string) {
  const { data } = await client.get("/documents/{id}/versions", { path: { id }, query: { limit: 1 } });
  if (data[0]) return data[0];
  throw new UsageError("**not_found**: the document has no earlier state.", "there is nothing to undo.");
}
