import type { Client, Summary } from "@svc/sdk";
import * as z from "zod";
import { oneTarget, type Target, targetShape } from "../../summary-target.ts";
import { facts, lines } from "../../text.ts";
import { readingTool } from "../../tool.ts";

export const getSummary = readingTool({
  name: "get_summary",
  title: "Summary",
  set: "knowledge",
  description:
    "The summary of a document, of one of its sections, of a folder or of a knowledge base, and whether it is still current. With a query: the blocks of a document that answer it best.",
  scopes: ["documents:read"],
  input: z
    .strictObject({
      ...targetShape,
      query: z.string().min(1).max(512).optional().describe("With document_id: a question; the answer is not stored."),
    })
    .refine(...oneTarget),
  run: async (client, { query, ...target }) => ({ text: summaryText(await readSummary(client, target, query)) }),
});

export async function readSummary(client: Client, target: Target, query?: string): Promise<Summary> {
  const { document_id, folder_id, knowledge_base_id, section_block_id: block_id } = target;
  if (document_id !== undefined)
    return (await client.get("/documents/{id}/summary", { path: { id: document_id }, query: { block_id, query } }))
      .data;
  if (folder_id !== undefined) return (await client.get("/folders/{id}/summary", { path: { id: folder_id } })).data;
  return (await client.get("/knowledge-bases/{id}/summary", { path: { id: knowledge_base_id! } })).data;
}

export const summaryText = (summary: Summary): string =>
  lines(
    facts({
      scope: summary.scope,
      generator: summary.generator,
      status: summary.status,
      freshness: summary.freshness,
      pinned: summary.pinned || undefined,
      coverage: `${summary.coverage.covered_blocks} of ${summary.coverage.total_blocks}`,
      summary_version: summary.summary_version,
      source_version: summary.current_source_version,
    }),
    summary.freshness === "stale" && "It is stale: the source has changed since it was made.",
    "\n---\n",
    summary.text === "" ? "(There is nothing to summarise.)" : summary.text,
  );
