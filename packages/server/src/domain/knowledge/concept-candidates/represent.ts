import type { Reader } from "../../../db/database.ts";
import type { ConceptCandidateRow } from "../../../db/schema/tables/concepts.ts";
import { candidateVersion, isCurrent, listShownConcepts, listSources } from "./queries.ts";

/** Represents candidates as the reader's user may see them. */
export async function representCandidates(db: Reader, workspaceId: string, rows: readonly ConceptCandidateRow[]) {
  const sources = await listSources(db, workspaceId, rows);
  const concepts = await listShownConcepts(db, workspaceId, rows);
  return rows.map((row) => {
    const { workspace_id: _, revision: __, decided_by: ___, ...shown } = row;
    return {
      ...shown,
      concept_id: concepts.has(row.concept_id ?? "") ? row.concept_id : null,
      freshness: isCurrent(row, sources.get(row.source_document_id)) ? ("current" as const) : ("stale" as const),
      version: candidateVersion(row),
    };
  });
}
