import type { DocumentRow } from "../../../db/schema/tables/documents.ts";

/** The columns of a document that is not a language version. */
export const noVariant = {
  document_set_id: null,
  locale: null,
  variant_role: null,
  workflow_status: null,
  translated_from_document_id: null,
  translated_from_version: null,
} satisfies Partial<DocumentRow>;
