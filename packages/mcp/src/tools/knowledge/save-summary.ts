import type { Client, Summary, SummaryJob } from "@svc/sdk";
import * as z from "zod";
import { version } from "../../arguments.ts";
import { fenced } from "../../fence.ts";
import { short } from "../../short.ts";
import { oneTarget, type Target, targetShape } from "../../summary-target.ts";
import { facts, lines } from "../../text.ts";
import { type Outcome, writingTool } from "../../tool.ts";
import { readSummary, summaryText } from "./get-summary.ts";

const change = z.discriminatedUnion("action", [
  z.strictObject({
    action: z.literal("save"),
    text: z.string().min(1).max(100_000).describe("The summary, in Markdown."),
    summary_version: version("Of get_summary."),
    source_version: version("Of get_summary: the state that your summary is of."),
    pinned: z.boolean().default(false).describe("Automatic work leaves a pinned summary alone."),
  }),
  z.strictObject({
    action: z.literal("rebuild"),
    generator: z.enum(["deterministic", "model"]).default("deterministic").describe("`model` may cost money."),
  }),
]);
type Change = z.output<typeof change>;

export const saveSummary = writingTool({
  name: "save_summary",
  title: "Save or rebuild a summary",
  set: "knowledge",
  description:
    "Saves a summary that you wrote of a document, a section, a folder or a knowledge base, or has it made anew. save: text and both versions of get_summary; rebuild: generator.",
  scopes: ["documents:write"],
  destructive: true,
  input: z.strictObject({ ...targetShape, change }).refine(...oneTarget),
  run: (client, { change: wanted, ...target }) =>
    wanted.action === "save" ? save(client, target, wanted) : rebuild(client, target, wanted.generator),
});

async function save(client: Client, target: Target, change: Extract<Change, { action: "save" }>): Promise<Outcome> {
  const { document_id, folder_id, knowledge_base_id, section_block_id: block_id } = target;
  const before = await readSummary(client, target);
  const base_source_version = wholeVersion(change.source_version, before.current_source_version);
  const body = { text: change.text, base_source_version, pinned: change.pinned };
  const options = { ifMatch: wholeVersion(change.summary_version, before.summary_version), body };
  const saved = (after: { data: Summary }) => savedOutcome(before, after.data);
  if (document_id !== undefined)
    return saved(
      await client.put("/documents/{id}/summary", { path: { id: document_id }, query: { block_id }, ...options }),
    );
  if (folder_id !== undefined)
    return saved(await client.put("/folders/{id}/summary", { path: { id: folder_id }, ...options }));
  return saved(await client.put("/knowledge-bases/{id}/summary", { path: { id: knowledge_base_id! }, ...options }));
}

/** The current version where its first digits were sent. */
const wholeVersion = (sent: string, current: string): string => (short(current) === sent ? current : sent);

/** With what one call needs to undo it. */
function savedOutcome(before: Summary, { scope, freshness, summary_version, pinned }: Summary): Outcome {
  const isAutomatic = before.generator === "deterministic" && before.pinned === pinned;
  return {
    text: lines(
      "Saved.",
      facts({ scope, freshness, summary_version, pinned, source_version: before.current_source_version }),
      isAutomatic ? "Undo: action rebuild." : formerText(before),
    ),
  };
}

const formerText = ({ text, pinned }: Summary): string =>
  `Undo: save${pinned ? " with pinned true" : ""} this text again.\n${fenced(text)}`;

/** The answer quotes what a person or a model had written, so that it can be saved again. */
async function rebuild(client: Client, target: Target, generator: "deterministic" | "model"): Promise<Outcome> {
  const before = await readSummary(client, target);
  const rebuilt = rebuiltAfter(before.generator === "deterministic" ? undefined : before);
  const { document_id, folder_id, knowledge_base_id, section_block_id: block_id } = target;
  if (document_id !== undefined)
    return rebuilt(
      await client.post("/documents/{id}/summary/rebuild", {
        path: { id: document_id },
        body: { generator, block_id },
      }),
    );
  if (folder_id !== undefined)
    return rebuilt(
      await client.post("/folders/{id}/summary/rebuild", { path: { id: folder_id }, body: { generator } }),
    );
  return rebuilt(
    await client.post("/knowledge-bases/{id}/summary/rebuild", {
      path: { id: knowledge_base_id! },
      body: { generator },
    }),
  );
}

const rebuiltAfter =
  (before: Summary | undefined) =>
  ({ data }: { data: Summary | SummaryJob }): Outcome => {
    const undo = before && formerText(before);
    if ("text" in data) return { text: lines("Rebuilt.", undo, summaryText(data)) };
    const job = facts({ job_id: data.id, status: data.status });
    return { text: lines("A model is writing it; call get_summary in a while to see whether it is there.", job, undo) };
  };
