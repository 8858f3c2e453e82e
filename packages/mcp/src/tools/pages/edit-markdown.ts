import { type Document, isSuggested } from "@svc/sdk";
import * as z from "zod";
import { baseVersion, documentId, dryRun, modeOf, section, suggest } from "../../arguments.ts";
import { facts, lines, oneLine, plural } from "../../text.ts";
import { type Outcome, writingTool } from "../../tool.ts";
import { UsageError } from "../../usage-error.ts";
import { suggestedOutcome } from "../../written.ts";

const text = z.string().max(200_000);
const edit = {
  old: text.optional(),
  new: text.optional(),
  section: section.optional().describe("Heading text or id."),
  occurrence: z.union([z.int().min(1), z.literal("all")]).optional(),
};

export const editMarkdown = writingTool({
  name: "edit_markdown",
  title: "Edit by text",
  set: "core",
  description:
    "Replaces old by new in a document's Markdown (words, list items, table rows or whole blocks), within a section if named. Without old, adds new at the end of the section or document; a bullet joins the list there, a row the table. old must occur once, else give occurrence (number or all). Several edits: edits. Undo: roll_back.",
  scopes: ["documents:write"],
  suggestible: true,
  destructive: true,
  hidden: ["base_version", "dry_run"],
  input: z.strictObject({
    document_id: documentId,
    ...edit,
    edits: z.array(z.strictObject(edit)).min(1).max(100).optional(),
    suggest,
    base_version: baseVersion.optional(),
    dry_run: dryRun,
  }),
  run: async (client, { document_id, edits, suggest: asSuggestion, base_version = "*", dry_run, ...single }) => {
    const operations = (edits ?? [single]).map(operationOf);
    const path = { id: document_id };
    const { data: document } = await client.get("/documents/{id}", { path });
    const { data } = await client.post("/documents/{id}/batch", {
      path,
      query: { ...modeOf(asSuggestion), dry_run, ...(base_version !== "*" && { on_conflict: "merge" as const }) },
      body: { base_version, operations },
    });
    if (isSuggested(data)) return suggestedOutcome(document_id, data);
    return edited(document, data.version, data.results, dry_run);
  },
});

type Edit = { [Name in keyof typeof edit]?: z.output<(typeof edit)[Name]> };

function operationOf({ old, new: text, section: within, occurrence }: Edit) {
  const scope = within === undefined ? {} : { section: within };
  if (text === undefined)
    throw new UsageError("**invalid_arguments**: new is missing.", 'send new, or "" to delete old.');
  if (!old && text.trim() === "")
    throw new UsageError("**invalid_arguments**: old and new are empty.", "send old, new, or both.");
  if (old === undefined || old === "") return { op: "append_markdown" as const, markdown: text, ...scope };
  return { op: "edit_markdown" as const, old, new: text, ...scope, ...(occurrence !== undefined && { occurrence }) };
}

function edited(
  { title, version: before }: Document,
  version: string,
  results: readonly { op: string; [member: string]: unknown }[],
  isTrial: boolean,
): Outcome {
  const count = results.reduce((sum, result) => sum + (typeof result.count === "number" ? result.count : 1), 0);
  const done = isTrial ? "Nothing is stored; would edit" : version === before ? "Nothing changed in" : "Edited";
  return { text: lines(`${done} **${oneLine(title)}**, ${plural(count, "place")}. ${facts({ version })}`) };
}
