import { defined } from "@svc/document/defined";
import type { Static } from "typebox";
import { WeakCache } from "../../../cache/weak-cache.ts";
import type { Reader } from "../../../db/database.ts";
import type { DocumentRow } from "../../../db/schema/tables/documents.ts";
import type { TranslationStateRow } from "../../../db/schema/tables/localization.ts";
import type { Document } from "./schema.ts";
import { shownIds } from "./shown-ids.ts";
import { listStates, worstOf } from "./translation-state.ts";

export const documentUri = (id: string): string => `svc://doc/${id}`;
export const documentSetUri = (id: string): string => `svc://docset/${id}`;

/** The visible columns of a document's row. */
export type ShownDocument = Readonly<Omit<DocumentRow, "title_key" | "created_by" | "updated_by" | "front_matter">>;

/** Serializes text that needs no escaping: ids, versions, languages, enum values. */
const plain = (text: string | null): string => (text === null ? "null" : `"${text}"`);

/**
 * A document as JSON, written directly: lists consist of these, and going through objects takes twice as long. A
 * target-language version also needs the state of its units.
 */
export function documentJson(row: ShownDocument, translation?: TranslationStateRow): string {
  const { id, document_set_id: set } = row;
  return (
    `{"id":"${id}","uri":"${documentUri(id)}","title":${JSON.stringify(row.title)},` +
    `"knowledge_base_id":${row.knowledge_base_id},"folder_id":${row.folder_id},` +
    `"file_name":${JSON.stringify(row.file_name)},` +
    `"document_type":"${row.document_type}","heading_numbered":${row.heading_numbered === 1},` +
    `"background_color":${JSON.stringify(row.background_color)},"collapsed_block_ids":${row.collapsed_block_ids},` +
    `"is_template":${row.is_template === 1},` +
    `"version":"${row.version}","character_count":${row.character_count},"block_count":${row.block_count},` +
    `"created_at":${row.created_at},"updated_at":${row.updated_at},` +
    `"document_set_id":${plain(set)},"document_set_uri":${plain(set && documentSetUri(set))},` +
    `"locale":${plain(row.locale)},"variant_role":${plain(row.variant_role)},` +
    `"workflow_status":${plain(row.workflow_status)},` +
    `"translated_from_document_id":${plain(row.translated_from_document_id)},` +
    `"translated_from_version":${plain(translatedFrom(row, translation))},` +
    `"translation_freshness":"${translation ? worstOf(translation) : "current"}","properties":${row.properties}}`
  );
}

/** Empty if the source is hidden too. */
const translatedFrom = (row: ShownDocument, translation: TranslationStateRow | undefined): string | null =>
  row.translated_from_document_id && (translation?.agreed_source_version ?? row.translated_from_version);

export const documentOf = (row: ShownDocument, translation?: TranslationStateRow): Static<typeof Document> =>
  JSON.parse(documentJson(row, translation));

/**
 * Adds the translation state to the rows of translations: one query for all, none if there are none. Hides a source
 * that the reader cannot see.
 */
export async function withTranslations<Row extends ShownDocument>(
  db: Reader,
  rows: readonly Row[],
): Promise<(readonly [Row, TranslationStateRow | undefined])[]> {
  const targets = rows.filter((row) => row.variant_role === "target");
  const [first] = targets;
  if (!first) return rows.map((row) => [row, undefined]);
  const ids = targets.map((row) => row.id);
  const states = await listStates(db, first.workspace_id, ids);
  const byId = new Map(states.map((state) => [state.document_id, state]));
  const sources = targets.map((row) => row.translated_from_document_id);
  const shown = await shownIds(db, first.workspace_id, sources);
  return rows.map((row) => {
    const source = shown(row.translated_from_document_id);
    const visible = source === row.translated_from_document_id ? row : { ...row, translated_from_document_id: source };
    return [visible, byId.get(row.id)];
  });
}

/** Rows as JSON, whatever their roles. */
export const describeDocuments = async (db: Reader, rows: readonly ShownDocument[]): Promise<string[]> =>
  (await withTranslations(db, rows)).map((pair) => documentJson(...pair));

/**
 * Keyed by row, which is one object while it is shared (`lookUpDocument`); both together take up to twice the row's
 * size.
 */
const TEXTS = new WeakCache<ShownDocument, string>("document_texts");

/** As one flat string: a concatenated one is flattened each time it is sent. */
const makeText = (row: ShownDocument): string => Buffer.from(documentJson(row)).toString();

/** JSON of a document whose row will be shown again; synchronous if the row contains everything. */
export const describeShared = (db: Reader, row: ShownDocument): string | Promise<string> =>
  row.variant_role === "target" ? describeDocument(db, row) : TEXTS.getOrMake(row, makeText);

/** One document, whatever its role. */
export const describeDocument = async (db: Reader, row: ShownDocument): Promise<string> =>
  defined((await describeDocuments(db, [row]))[0]);
