import { defined } from "@svc/document/defined";
import { ImportRefused } from "../../../archives/refused.ts";
import { parseLocale } from "../../library/documents/parse-locale.ts";
import type { LanguageLine } from "./language-schema.ts";
import type { PlannedLanguage } from "./plan.ts";

const refused = (what: string) => new ImportRefused("invalid_archive", `manifest.json ${what}.`);

/** The language versions of an archive, by document. A target without its source becomes an ordinary document. */
export function readLanguages(lines: readonly LanguageLine[]): {
  languages: ReadonlyMap<string, PlannedLanguage>;
  warnings: string[];
} {
  const sets = Map.groupBy(
    lines.filter((line) => line.document_set_id && line.locale && line.variant_role),
    (line) => defined(line.document_set_id),
  );
  const languages = new Map<string, PlannedLanguage>();
  let alone = 0;
  for (const [setKey, versions] of sets) {
    const sources = versions.filter((line) => line.variant_role === "source");
    if (sources.length > 1) throw refused("has a document set with two sources");
    const locales = versions.map((line) => localeOf(defined(line.locale)));
    if (new Set(locales).size !== locales.length) throw refused("has a language twice in a document set");
    const [source] = sources;
    if (!source) alone += versions.length;
    else
      for (const [i, line] of versions.entries())
        languages.set(line.id, languageOf(line, defined(locales[i]), setKey, source));
  }
  const warning = `Left out because the source is not in the archive: the language of ${alone} documents.`;
  return { languages, warnings: alone === 0 ? [] : [warning] };
}

function languageOf(line: LanguageLine, locale: string, setKey: string, source: LanguageLine): PlannedLanguage {
  const own = { setKey, locale, workflowStatus: line.workflow_status ?? "draft" };
  if (line === source) return { ...own, role: "source", fallbackLocale: localeOf(line.fallback_locale ?? locale) };
  const from = line.translated_from_version ?? source.version;
  return {
    ...own,
    role: "target",
    sourceKey: source.id,
    fromVersion: from === source.version ? undefined : from,
    units: line.translation_units ?? [],
  };
}

function localeOf(tag: string): string {
  try {
    return parseLocale(tag);
  } catch {
    throw refused(`has ${JSON.stringify(tag.slice(0, 40))} for a language`);
  }
}
