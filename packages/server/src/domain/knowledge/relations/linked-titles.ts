import type { Reader } from "../../../db/database.ts";

/** Titles of the link targets of one document, by id; only visible ones. */
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
