import type { Reader } from "../../db/database.ts";

/** Titles of the documents that links of one document lead to, by id; only those that the reader may see. */
export async function readLinkedTitles(
  db: Reader,
  workspaceId: string,
  documentId: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom("inline_relations as r")
    .innerJoin("documents as d", (join) =>
      join.onRef("d.workspace_id", "=", "r.workspace_id").onRef("d.id", "=", "r.target_document_id"),
    )
    .select(["d.id", "d.title"])
    .distinct()
    .where("r.workspace_id", "=", workspaceId)
    .where("r.document_id", "=", documentId)
    .execute();
  return new Map(rows.map(({ id, title }) => [id, title]));
}
