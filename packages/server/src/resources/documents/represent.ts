import type { DocumentRow } from "../../db/tables.ts";

export const documentUri = (id: string): string => `svc://doc/${id}`;
export const documentSetUri = (id: string): string => `svc://docset/${id}`;

export const documentOf = (row: DocumentRow) => ({
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
  translated_from_version: row.translated_from_version,
  translation_freshness: "current" as const,
});
