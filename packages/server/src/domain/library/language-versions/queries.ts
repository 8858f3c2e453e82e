import type { Reader } from "../../../db/database.ts";
import type { DocumentRow } from "../../../db/schema/tables/documents.ts";
import type { DocumentSetRow } from "../../../db/schema/tables/localization.ts";
import { notFound } from "../../../errors.ts";

export async function getSet(db: Reader, workspaceId: string, id: string): Promise<DocumentSetRow> {
  const row = await db
    .selectFrom("document_sets")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", id)
    .executeTakeFirst();
  if (!row) throw notFound("document_set", id);
  return row;
}

/** The language versions of a set, the source first, then by language. */
export async function listVersions(db: Reader, workspaceId: string, setId: string): Promise<DocumentRow[]> {
  const rows = await db
    .selectFrom("documents")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("document_set_id", "=", setId)
    .execute();
  const rank = ({ variant_role, locale }: DocumentRow) => `${variant_role === "source" ? 0 : 1}${locale}`;
  return rows.sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
}
