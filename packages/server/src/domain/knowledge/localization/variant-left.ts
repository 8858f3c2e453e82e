import type { Tx } from "../../../db/database.ts";
import type { DocumentRow } from "../../../db/schema/tables/documents.ts";
import { noVariant } from "../../library/documents/no-variant.ts";
import { findDocument } from "../../library/documents/queries.ts";

/** A restored translation becomes an ordinary document if its source is gone or its language is taken. */
export async function variantLeft(tx: Tx, document: DocumentRow): Promise<Partial<DocumentRow>> {
  if (document.variant_role !== "target") return {};
  const { workspace_id, document_set_id, locale, translated_from_document_id } = document;
  const source = await findDocument(tx, workspace_id, translated_from_document_id ?? "");
  if (source?.document_set_id !== document_set_id) return noVariant;
  const taken = await tx
    .selectFrom("documents")
    .select("id")
    .where("workspace_id", "=", workspace_id)
    .where("document_set_id", "=", document_set_id)
    .where("locale", "=", locale)
    .executeTakeFirst();
  return taken ? noVariant : {};
}
