import { defined } from "@svc/document/defined";
import type { Reader } from "../../../db/database.ts";
import type { DocumentRow } from "../../../db/schema/tables/documents.ts";
import type { LocalizationAuditRow, TranslationStateRow } from "../../../db/schema/tables/localization.ts";
import { documentSetUri } from "../../library/documents/represent.ts";
import { worstOf } from "../../library/documents/translation-state.ts";
import { type LoadedSet, statesOf } from "../../library/language-versions/load-set.ts";
import { emptyTally } from "./units/unit-state.ts";

function unitCounts(state: TranslationStateRow | undefined) {
  const { missing, source_changed, current, conflict, ignored, orphaned } = state ?? emptyTally;
  const total = missing + source_changed + current + conflict + ignored;
  return { total, missing, source_changed, current, conflict, ignored, orphaned };
}

const variantOf = (row: DocumentRow, state: TranslationStateRow | undefined) => ({
  document_id: row.id,
  locale: defined(row.locale),
  variant_role: defined(row.variant_role),
  workflow_status: row.workflow_status,
  title: row.title,
  translation_freshness: state ? worstOf(state) : ("current" as const),
  version: row.version,
  units: unitCounts(state),
});

export async function describeSet(db: Reader, loaded: LoadedSet) {
  const states = await statesOf(db, loaded);
  const { set, source, versions } = loaded;
  return {
    id: set.id,
    uri: documentSetUri(set.id),
    source_locale: set.source_locale,
    fallback_locale: set.fallback_locale,
    source_document_id: source.id,
    created_at: set.created_at,
    variants: versions.map((row) => variantOf(row, states.get(row.id))),
  };
}

/** Same fields for a document without a set: it is its own source. */
export const noSet = ({ id }: DocumentRow) => ({
  id: null,
  uri: null,
  source_locale: null,
  fallback_locale: null,
  source_document_id: id,
  created_at: null,
  variants: [],
});

export async function describeVersion(db: Reader, loaded: LoadedSet, row: DocumentRow) {
  return variantOf(row, (await statesOf(db, loaded)).get(row.id));
}

const parse = (json: string | null) => (json === null ? null : JSON.parse(json));

export const auditOf = (row: LocalizationAuditRow) => ({
  id: row.id,
  action: row.action,
  actor: JSON.parse(row.actor),
  locale: row.locale,
  unit_id: row.unit_id,
  before: parse(row.before),
  after: parse(row.after),
  created_at: row.created_at,
});
