import { type Client, isSuggested } from "@svc/sdk";
import * as z from "zod";
import { baseVersion, documentId, dryRun, markdown, modeOf, suggest } from "../../arguments.ts";
import { wholeAnchors } from "../../names/whole-anchors.ts";
import { writingTool } from "../../tool.ts";
import { suggestedOutcome, titleOf, writtenOutcome } from "../../written.ts";

const FRONT_MATTER = /^---\r?\n/;

/** The current properties: versions do not keep them, so undoing a write that set them has to send these. */
const propertiesOf = async (client: Client, id: string): Promise<string> =>
  (await client.get("/documents/{id}/properties", { path: { id } })).data.source;

export const writeDocument = writingTool({
  name: "write_document",
  title: "Rewrite a document",
  set: "core",
  description:
    "Replaces a document's whole text by Markdown; blocks that stay or are only edited keep their ids. YAML between --- lines at the start sets its properties. For small changes edit_markdown is cheaper. Needs the version you read; what others changed since in other blocks stays. Undo: roll_back.",
  scopes: ["documents:write"],
  suggestible: true,
  destructive: true,
  idempotent: true,
  hidden: ["dry_run"],
  input: z.strictObject({
    document_id: documentId,
    base_version: baseVersion,
    markdown: markdown(""),
    suggest,
    dry_run: dryRun,
  }),
  run: async (client, { document_id, base_version, markdown: content, suggest: asSuggestion, dry_run }) => {
    const former = FRONT_MATTER.test(content) ? await propertiesOf(client, document_id) : undefined;
    const { data } = await client.put("/documents/{id}/content", {
      path: { id: document_id },
      query: { ids: "match", ...modeOf(asSuggestion), dry_run, on_conflict: "merge" },
      ifMatch: base_version,
      body: { format: "markdown", content: await wholeAnchors(client, document_id, content) },
    });
    if (isSuggested(data)) return suggestedOutcome(document_id, data);
    const written = { document_id, base_version, dry_run, ...data };
    return writtenOutcome(await titleOf(client, document_id), written, former);
  },
});
