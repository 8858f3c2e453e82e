import type { Db } from "../../db/database.ts";
import type { DocumentRow, TranslationStateRow } from "../../db/tables.ts";
import { listStates } from "../localization/queries.ts";
import { worstOf } from "../localization/unit-state.ts";

export const documentUri = (id: string): string => `svc://doc/${id}`;
export const documentSetUri = (id: string): string => `svc://docset/${id}`;

/** A target-language version also needs the state of its units. */
export const documentOf = (row: DocumentRow, translation?: TranslationStateRow) => ({
  id: row.id,
  uri: documentUri(row.id),
  title: row.title,
  knowledge_base_id: row.knowledge_base_id,
  folder_id: row.folder_id,
  document_type: row.document_type,
  heading_numbered: row.heading_numbered === 1,
  background_color: row.background_color,
  collapsed_block_ids: row.collapsed_block_ids === "[]" ? [] : (JSON.parse(row.collapsed_block_ids) as string[]),
  version: row.version,
  character_count: row.character_count,
  block_count: row.block_count,
  created_at: row.created_at,
  updated_at: row.updated_at,
  document_set_id: row.document_set_id,
  document_set_uri: row.document_set_id && documentSetUri(row.document_set_id),
  locale: row.locale,
  variant_role: row.variant_role,
  workflow_status: row.workflow_status,
  translated_from_document_id: row.translated_from_document_id,
  translated_from_version: translation?.agreed_source_version ?? row.translated_from_version,
  translation_freshness: translation ? worstOf(translation) : ("current" as const),
});

/** Rows with the state of those that are translations: one query for all of them, none when there are none. */
export async function withTranslations(
  db: Db,
  rows: readonly DocumentRow[],
): Promise<(readonly [DocumentRow, TranslationStateRow | undefined])[]> {
  const targets = rows.filter((row) => row.variant_role === "target");
  const [first] = targets;
  const ids = targets.map((row) => row.id);
  const states = first ? await listStates(db, first.workspace_id, ids) : [];
  const byId = new Map(states.map((state) => [state.document_id, state]));
  return rows.map((row) => [row, byId.get(row.id)]);
}

/** One document, whatever its role. */
export async function describeDocument(db: Db, row: DocumentRow) {
  const [pair] = await withTranslations(db, [row]);
  return documentOf(...pair!);
}
