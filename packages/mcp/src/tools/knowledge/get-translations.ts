import { ApiError, type Client, type LanguageVersion, type TranslationUnit } from "@svc/sdk";
import * as z from "zod";
import { cursor, documentId, limit, locale } from "../../arguments.ts";
import { short } from "../../short.ts";
import { facts, lines, more, oneLine } from "../../text.ts";
import { type Outcome, readingTool } from "../../tool.ts";

export const getTranslations = readingTool({
  name: "get_translations",
  title: "Language versions",
  set: "translations",
  description:
    "The language versions of a document and how far each is translated. With locale: that version's units, source text and translation side by side. With job_id: how a translation job stands.",
  scopes: ["documents:read"],
  input: z
    .strictObject({
      document_id: documentId.optional().describe("Any version of the document."),
      locale: locale.optional().describe("The target version whose units to list."),
      freshness: z
        .enum(["missing", "source_changed", "conflict", "current", "orphaned"])
        .optional()
        .describe("Only units that stand like this."),
      job_id: z.string().min(1).max(100).optional().describe("Instead of document_id."),
      limit: limit(50),
      cursor,
    })
    .refine(({ document_id, job_id }) => (document_id === undefined) !== (job_id === undefined), {
      error: "needs exactly one of document_id, job_id",
    }),
  run: (client, { document_id, job_id, locale: target, ...query }) => {
    if (job_id !== undefined) return showJob(client, job_id);
    return target === undefined
      ? showVersions(client, document_id!)
      : listUnits(client, document_id!, { ...query, locale: target });
  },
});

async function showVersions(client: Client, id: string): Promise<Outcome> {
  const { data } = await client.get("/documents/{id}/localizations", { path: { id } });
  if (data.id === null)
    return { text: "It has one language only. change_translations with action activate makes language versions." };
  const head = facts({
    document_set: data.uri,
    source_locale: data.source_locale,
    source_document_id: data.source_document_id,
  });
  return { text: lines(head, ...data.variants.map(versionLine)) };
}

const versionLine = (variant: LanguageVersion): string =>
  `- ${variant.locale} **${oneLine(variant.title)}** (${facts({
    document_id: variant.document_id,
    role: variant.variant_role,
    status: variant.workflow_status,
    translation: variant.variant_role === "target" ? variant.translation_freshness : undefined,
    version: variant.version,
  })})${variant.variant_role === "target" ? `: ${facts(variant.units)}` : ""}`;

interface UnitQuery {
  readonly locale: string;
  readonly freshness?: TranslationUnit["freshness"] | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Lists the existing languages if the requested one does not exist. */
async function listUnits(client: Client, id: string, query: UnitQuery): Promise<Outcome> {
  const found = await client.get("/documents/{id}/translation-units", { path: { id }, query }).catch((error) => {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  });
  if (!found) {
    const { text } = await showVersions(client, id);
    return { text: lines(`There is no version in ${query.locale}.`, text) };
  }
  const { data, page } = found;
  const [first] = data;
  if (!first) return { text: "No unit stands like this." };
  return {
    text: lines(
      facts({
        locale: first.locale,
        target_document_id: first.target_document_id,
        target_version: first.target_version,
      }),
      "To translate by hand, edit the target block with edit_blocks in the target document.",
      ...data.map(unitText),
      more(page),
    ),
  };
}

const unitText = (unit: TranslationUnit): string =>
  lines(
    `\n- ${facts({ unit_id: unit.id, freshness: unit.freshness, review: unit.review_status, target_block_id: unit.target_block_id })}`,
    `  source: ${unit.source_text === null ? "(gone)" : oneLine(unit.source_text, 2000)}`,
    `  target: ${unit.target_text === null ? "(none)" : oneLine(unit.target_text, 2000)}`,
    unit.candidate !== null && `  candidate of ${short(unit.candidate.job_id)}: ${oneLine(unit.candidate.text, 2000)}`,
  );

async function showJob(client: Client, id: string): Promise<Outcome> {
  const { data } = await client.get("/translation-jobs/{id}", { path: { id } });
  const { status, target_locale, target_document_id, unit_count: units, provider, error } = data;
  return {
    text: lines(
      facts({ job_id: id, status, target_locale, target_document_id, units, provider }),
      error !== null && `${error.code}: ${error.message}`,
      status === "succeeded" && "Put its candidates in place with change_translations and action apply_job.",
      ...data.units.map(
        (unit) =>
          `- ${unit.unit_id}: ${unit.candidate ? oneLine(unit.candidate.text, 2000) : (unit.error ?? "waiting")}`,
      ),
    ),
  };
}
