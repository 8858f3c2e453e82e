import type { Client } from "@svc/sdk";
import * as z from "zod";
import { documentId, locale, name, unitId, version } from "../../arguments.ts";
import { facts, lines, oneLine } from "../../text.ts";
import { type Outcome, writingTool } from "../../tool.ts";
import { findTrashed } from "../../trashed.ts";
import { UsageError } from "../../usage-error.ts";
import { titleOf } from "../../written.ts";

const createMode = z
  .enum(["copy_structure", "copy_content", "empty"])
  .default("copy_structure")
  .describe("The same blocks without their text, with the source's text, or no blocks.");
const unitIds = z.array(unitId).min(1).max(100).optional();
const targetVersion = version("The target document's version, of get_translations.");

const change = z.discriminatedUnion("action", [
  z.strictObject({
    action: z.literal("activate"),
    document_id: documentId.describe("The document that becomes the source."),
    source_locale: locale.describe("The language that it is written in."),
    target_locales: z.array(locale).max(50).default([]).describe("Languages to make versions in."),
    create_mode: createMode,
  }),
  z.strictObject({
    action: z.literal("add_version"),
    document_id: documentId,
    locale,
    title: name("The title in that language.").optional(),
    create_mode: createMode,
  }),
  z.strictObject({
    action: z.literal("change_version"),
    document_id: documentId,
    locale,
    title: name("The title in that language.").optional(),
    workflow_status: z.enum(["draft", "in_review", "published", "archived"]).optional(),
  }),
  z.strictObject({ action: z.literal("delete_version"), document_id: documentId, locale }),
  z.strictObject({
    action: z.literal("start_job"),
    document_id: documentId,
    locale,
    unit_ids: unitIds.describe("Left out: the first hundred that need it."),
  }),
  z.strictObject({
    action: z.literal("apply_job"),
    job_id: z.string().min(1).max(100),
    target_version: targetVersion,
    unit_ids: unitIds.describe("Left out: all of the job."),
  }),
  z.strictObject({
    action: z.literal("review_unit"),
    document_id: documentId,
    unit_id: unitId,
    review_status: z.enum(["current", "ignored"]).describe("`current`: the translation is right as it stands."),
    target_version: targetVersion,
  }),
]);
type Change = z.output<typeof change>;

export const changeTranslations = writingTool({
  name: "change_translations",
  title: "Translate",
  set: "translations",
  description:
    "Language versions of a document. activate: source_locale, target_locales; add_version, change_version, delete_version: locale; start_job: locale, then get_translations with job_id until it has succeeded, then apply_job: job_id, target_version; review_unit: unit_id, review_status, target_version. To translate yourself, edit the version's own document.",
  scopes: ["documents:read", "documents:write"],
  destructive: true,
  input: z.strictObject({ change }),
  run: (client, { change: wanted }) => run(client, wanted),
});

const done = (text: string, data: Record<string, unknown>): Outcome => ({ text: lines(text, facts(data)) });

function run(client: Client, given: Change): Promise<Outcome> {
  switch (given.action) {
    case "activate":
    case "add_version":
    case "change_version":
    case "delete_version":
      return runVersions(client, given);
    case "start_job":
      return startJob(client, given);
    case "apply_job":
      return applyJob(client, given);
    case "review_unit":
      return reviewUnit(client, given);
  }
}

type Of<A extends Change["action"]> = Extract<Change, { action: A }>;

async function runVersions(
  client: Client,
  given: Of<"activate" | "add_version" | "change_version" | "delete_version">,
): Promise<Outcome> {
  const path = { id: given.document_id };
  if (given.action === "activate") {
    const { action: _, document_id: __, ...body } = given;
    const { data } = await client.post("/documents/{id}/localization/activate", { path, body });
    const versions = data.variants.map((variant) => `${variant.locale} ${variant.document_id}`);
    return done("The document has language versions now.", { document_set: data.uri, versions });
  }
  if (given.action === "delete_version") {
    const { locale } = given;
    const { document_id, title } = await versionIn(client, given.document_id, locale);
    await client.delete("/documents/{id}/localizations/{locale}", { path: { ...path, locale } });
    const trash_id = await findTrashed(client, document_id);
    const undo = trash_id ? "Undo: organize restore with this trash_id." : "It is gone for good: there is no trash.";
    return done(`**${oneLine(title)}**, the version in ${locale}, is deleted. ${undo}`, { trash_id });
  }
  const { locale, title } = given;
  const before = given.action === "change_version" && (await versionIn(client, given.document_id, locale));
  const { data } =
    given.action === "add_version"
      ? await client.post("/documents/{id}/localizations", {
          path,
          body: { locale, title, create_mode: given.create_mode },
        })
      : await client.patch("/documents/{id}/localizations/{locale}", {
          path: { ...path, locale },
          body: { title, workflow_status: given.workflow_status },
        });
  const { document_id, version, workflow_status } = data;
  const undo = before
    ? `change_version with ${facts({ title: before.title, workflow_status: before.workflow_status })}`
    : "delete_version";
  const stands = { document_id, locale: data.locale, workflow_status, version };
  return done(`**${oneLine(data.title)}**, the version in ${data.locale}, stands. Undo: ${undo}.`, stands);
}

/** Reads a language version before it changes. */
async function versionIn(client: Client, id: string, locale: string) {
  const { data } = await client.get("/documents/{id}/localizations", { path: { id } });
  const version = data.variants.find((variant) => variant.locale.toLowerCase() === locale.toLowerCase());
  if (version) return version;
  const there = data.variants.map((variant) => variant.locale).join(", ");
  throw new UsageError(`**not_found**: no version in ${locale}.`, `use one of ${there || "none: activate first"}.`);
}

async function startJob(client: Client, given: Of<"start_job">): Promise<Outcome> {
  const { data } = await client.post("/documents/{id}/translation-jobs", {
    path: { id: given.document_id },
    body: { target_locale: given.locale, unit_ids: given.unit_ids },
  });
  const { id: job_id, status, unit_count: units, target_document_id } = data;
  return done("The job is started; get_translations with its job_id tells how it stands.", {
    job_id,
    status,
    units,
    target_document_id,
  });
}

async function applyJob(client: Client, given: Of<"apply_job">): Promise<Outcome> {
  const { data } = await client.post("/translation-jobs/{id}/apply", {
    path: { id: given.job_id },
    body: { unit_ids: given.unit_ids, base_target_version: given.target_version },
  });
  const skipped = data.skipped.map(({ unit_id, reason }) => `${unit_id} (${reason})`);
  const { target_document_id, version } = data;
  const title = await titleOf(client, target_document_id);
  return done(`${data.applied.length} applied to **${title}**. Undo: roll_back with target_document_id.`, {
    target_document_id,
    version,
    applied: data.applied.length,
    skipped,
  });
}

async function reviewUnit(client: Client, given: Of<"review_unit">): Promise<Outcome> {
  const { data } = await client.patch("/documents/{id}/translation-units/{unitId}", {
    path: { id: given.document_id, unitId: given.unit_id },
    ifMatch: given.target_version,
    body: { review_status: given.review_status },
  });
  const { id: unit_id, freshness, review_status, target_version } = data;
  return done("Reviewed.", { unit_id, freshness, review_status, target_version });
}
