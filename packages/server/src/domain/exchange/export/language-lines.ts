import { defined } from "@svc/document/defined";
import type { Reader } from "../../../db/database.ts";
import type { DocumentRow } from "../../../db/schema/tables/documents.ts";
import type { TranslationStateRow } from "../../../db/schema/tables/localization.ts";
import { listSets } from "../../knowledge/localization/queries.ts";
import { listUnits } from "../../knowledge/localization/units/unit-queries.ts";
import { freshnessOf, originOf, type Unit } from "../../knowledge/localization/units/unit-state.ts";
import { withTranslations } from "../../library/documents/represent.ts";

/** The language-version fields of a document that its row does not hold. */
export interface LanguageLine {
  readonly state?: TranslationStateRow | undefined;
  /** Only for a source. */
  readonly fallback_locale?: string;
  /** Only for a target: pairs its blocks with the blocks they translate, with the state of each pair. */
  readonly translation_units?: readonly object[];
  /** Both for a target whose source the exporting user cannot see. */
  readonly translated_from_document_id?: null;
  readonly translated_from_version?: null;
}

const UNTOLD = { translated_from_document_id: null, translated_from_version: null };

/** Describes the documents that are language versions; omits the others. */
export async function languageLines(db: Reader, rows: readonly DocumentRow[]): Promise<Map<string, LanguageLine>> {
  const lines = new Map<string, LanguageLine>();
  const versions = rows.filter((row) => row.document_set_id !== null);
  if (versions.length === 0) return lines;
  const setIds = versions.map((row) => defined(row.document_set_id));
  const sets = new Map((await listSets(db, defined(versions[0]).workspace_id, setIds)).map((set) => [set.id, set]));
  for (const [row, state] of await withTranslations(db, versions)) {
    const set = sets.get(defined(row.document_set_id));
    if (row.variant_role === "source") lines.set(row.id, set ? { fallback_locale: set.fallback_locale } : {});
    else if (state && row.translated_from_document_id === null) lines.set(row.id, { state, ...UNTOLD });
    else if (state) lines.set(row.id, { state, translation_units: (await listUnits(db, state)).map(unitLine) });
  }
  return lines;
}

const unitLine = (unit: Unit) => ({
  source_block_id: unit.source_block_id,
  target_block_id: unit.target_block_id,
  freshness: freshnessOf(unit),
  origin: originOf(unit),
  review_status: unit.review_status,
});
