import { type AppliedTranslation, type Client, type LanguageVersion, type TranslationJob, waitForJob } from "@svc/sdk";
import type { Command } from "commander";
import { documentId } from "../address/resolve.ts";
import { failure, usage } from "../command-error.ts";
import { connect } from "../connect.ts";
import { DOCUMENT, type ServerOptions, withServer } from "../options.ts";
import { counted, note, print, quoted, table } from "../output.ts";
import { Progress } from "../progress.ts";

interface Options extends ServerOptions {
  readonly to?: string;
  readonly from?: string;
  readonly title?: string;
  readonly apply?: boolean;
  readonly machine: boolean;
}

async function run(address: string, options: Options): Promise<void> {
  const client = connect(options);
  const id = await documentId(client, address);
  if (options.to === undefined) return showVersions(client, id, address, options);
  const { source, version } = await ensureVersion(client, id, address, options.to, options);
  if (!options.machine)
    return print(options, { version, job: null, applied: null }, [
      `${version.title} (${version.locale}) is ${version.document_id}.`,
    ]);
  const job = await translate(client, source, version.locale);
  const applied = options.apply ? await apply(client, job) : null;
  print(options, { version, job, applied }, shownResult(job, applied));
  if (!options.json && applied === null && job.unit_count > 0)
    note(`Nothing was written yet.\n     → svc translate ${quoted(address)} --to ${version.locale} --apply`);
}

async function showVersions(client: Client, id: string, address: string, options: Options): Promise<void> {
  const { data: document } = await client.get("/documents/{id}", { path: { id } });
  if (document.document_set_id === null) {
    print(options, { document_id: id, document_set: null }, [`${address} has one language only.`]);
    if (!options.json) note(`     → svc translate ${quoted(address)} --from en --to es`);
    return;
  }
  const { data } = await client.get("/documents/{id}/localizations", { path: { id } });
  print(
    options,
    { document_id: id, document_set: data },
    table(
      ["LANGUAGE", "DOCUMENT", "TITLE", "STATUS", "CURRENT", "MISSING", "CHANGED", "CONFLICT"],
      data.variants.map((one) => [
        ...[one.locale + (one.variant_role === "source" ? " (source)" : ""), one.document_id, one.title],
        ...[one.workflow_status, `${one.units.current} of ${one.units.total}`],
        ...[one.units.missing, one.units.source_changed, one.units.conflict],
      ]),
    ),
  );
}

/** The version in the language, made when it is not there. */
async function ensureVersion(client: Client, id: string, address: string, to: string, options: Options) {
  const { data: document } = await client.get("/documents/{id}", { path: { id } });
  const title = options.title === undefined ? {} : { title: options.title };
  if (document.document_set_id === null) {
    if (options.from === undefined)
      throw usage(
        `Say which language ${address} is in.`,
        `svc translate ${quoted(address)} --from en --to ${quoted(to)}`,
      );
    await client.post("/documents/{id}/localization/activate", { path: { id }, body: { source_locale: options.from } });
  }
  const query = { locale: to };
  const { data: set } = await client.get("/documents/{id}/localizations", { path: { id }, query });
  const source = set.source_document_id;
  const there = set.fallback_used ? undefined : set.variants.find((one) => one.locale === set.resolved_locale);
  if (there?.variant_role === "source") throw failure(`${address} is in ${there.locale} already: that is its source.`);
  const version: LanguageVersion =
    there ??
    (await client.post("/documents/{id}/localizations", { path: { id: source }, body: { locale: to, ...title } })).data;
  return { source, version };
}

async function translate(client: Client, id: string, locale: string): Promise<TranslationJob> {
  const progress = new Progress("Translating", (count) => counted(count, "line"));
  const { data } = await client.post("/documents/{id}/translation-jobs", {
    path: { id },
    body: { target_locale: locale },
  });
  try {
    const onProgress = ({ units, unit_count }: TranslationJob) =>
      progress.show(units.filter((unit) => unit.candidate ?? unit.error).length, unit_count);
    return await waitForJob(client, "/translation-jobs/{id}", data.id, { onProgress });
  } finally {
    progress.end();
  }
}

async function apply(client: Client, job: TranslationJob): Promise<AppliedTranslation> {
  const { data: target } = await client.get("/documents/{id}", { path: { id: job.target_document_id } });
  return (
    await client.post("/translation-jobs/{id}/apply", { path: { id: job.id }, ifMatch: target.version, body: {} })
  ).data;
}

const shownResult = (job: TranslationJob, applied: AppliedTranslation | null): string[] => [
  `${counted(job.unit_count, "line")} translated into ${job.target_locale} (${job.input_characters} characters, ${job.estimated_cost.amount} ${job.estimated_cost.currency}).`,
  ...(applied
    ? [
        `${counted(applied.applied.length, "line")} written to ${applied.target_document_id}, ${applied.skipped.length} left as they were.`,
      ]
    : job.units.map((unit) => `  ${unit.candidate?.text ?? `${unit.source_block_id}: ${unit.error}`}`)),
];

export function define(command: Command): void {
  withServer(command)
    .argument(...DOCUMENT)
    .option("--to <tag>", "the language to translate into; without it, the versions that there are")
    .option("--from <tag>", "the language it is in, needed the first time")
    .option("--title <title>", "the new version's title")
    .option("--apply", "write the translation; edits made by hand stay")
    .option("--no-machine", "only make the version, and translate it by hand")
    .action(run);
}
