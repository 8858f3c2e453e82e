import { readBody } from "../../../bodies/load-body.ts";
import type { Tx } from "../../../db/database.ts";
import type { ConceptRow } from "../../../db/schema/tables/concepts.ts";
import { apiError } from "../../../errors.ts";
import type { Expected } from "../../../http/preconditions.ts";
import { getDocument } from "../../library/documents/queries.ts";
import { checkRowQuota, type RowLimits } from "../../library/quotas/row-quota.ts";
import { type Author, historyOf, lockExpected } from "./change-concept.ts";
import { insertHistory, updateConcept } from "./queries.ts";
import { hasSource, upsertSources } from "./source-queries.ts";

interface Evidence {
  readonly documentId: string;
  readonly blockId: string | null;
  readonly sourceVersion: string;
}

export async function addSource(
  tx: Tx,
  author: Author,
  id: string,
  evidence: Evidence,
  { ifMatch, limits }: { readonly ifMatch: Expected | undefined; readonly limits: RowLimits },
): Promise<ConceptRow> {
  const row = await lockExpected(tx, author.workspaceId, id, ifMatch);
  await checkEvidence(tx, author.workspaceId, evidence);
  return putSource(tx, author, row, evidence, limits);
}

/** Evidence must be from the document's current version. */
async function checkEvidence(
  tx: Tx,
  workspaceId: string,
  { documentId, blockId, sourceVersion }: Evidence,
): Promise<void> {
  const document = await getDocument(tx, workspaceId, documentId);
  if (document.version !== sourceVersion)
    throw apiError("evidence_stale", {
      current_version: document.version,
      source_version: sourceVersion,
      hint: "Read the document again and send its current version.",
    });
  if (blockId === null) return;
  const body = await readBody(tx, { workspaceId, documentId });
  if (body.positionOf(blockId) === undefined) throw apiError("block_not_found", { block_id: blockId });
}

/** Stores checked evidence and gives the concept a new version. */
export async function putSource(
  tx: Tx,
  { workspaceId, userId }: Author,
  row: ConceptRow,
  evidence: Evidence,
  limits: RowLimits,
): Promise<ConceptRow> {
  const now = Date.now();
  const source = {
    workspace_id: workspaceId,
    concept_id: row.id,
    source_document_id: evidence.documentId,
    source_block_id: evidence.blockId ?? "",
    source_version: evidence.sourceVersion,
    created_by: userId,
    created_at: now,
    updated_at: now,
  };
  if (!(await hasSource(tx, source))) await checkRowQuota(tx, limits, "concept_sources", workspaceId, row.id);
  await upsertSources(tx, [source]);
  const details = {
    document_id: evidence.documentId,
    block_id: evidence.blockId,
    source_version: evidence.sourceVersion,
  };
  await insertHistory(tx, { ...historyOf(row, userId, "source_added"), details });
  return updateConcept(tx, row);
}
