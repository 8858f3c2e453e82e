import type { Config } from "../../../config.ts";
import type { Reader, Tx } from "../../../db/database.ts";
import { readJson } from "../../../db/schema/json-text.ts";
import type { ConceptCandidateRow, ConceptRow } from "../../../db/schema/tables/concepts.ts";
import { apiError } from "../../../errors.ts";
import { checkExpected, type Expected, requireExpected } from "../../../http/preconditions.ts";
import { findDocument } from "../../library/documents/queries.ts";
import { checkRowQuota } from "../../library/quotas/row-quota.ts";
import { putSource } from "../concepts/add-source.ts";
import { type Author, checkLive, createConcept } from "../concepts/change-concept.ts";
import { namesKey, readAliases } from "../concepts/labels.ts";
import { lockConcept, updateConcept } from "../concepts/queries.ts";
import { candidateVersion, isCurrent, listShownConcepts, lockCandidate, updateCandidate } from "./queries.ts";

/** The data that every decision needs. */
interface Decision {
  readonly id: string;
  readonly expected: Expected | undefined;
  /** A reader limited to what the deciding user may see. */
  readonly shown: Reader;
}

async function lockCandidateIn(
  status: ConceptCandidateRow["status"],
  tx: Tx,
  workspaceId: string,
  { id, expected, shown }: Decision,
): Promise<ConceptCandidateRow> {
  const row = await lockCandidate(tx, workspaceId, id);
  const version = requireExpected(expected);
  if (row.status !== status) {
    const [concept_id = null] = await listShownConcepts(shown, workspaceId, [row]);
    throw apiError("candidate_decided", { status: row.status, concept_id });
  }
  checkExpected(version, candidateVersion(row));
  return row;
}

/**
 * Turns the candidate into a concept or into another name of an existing one. Its source must be unchanged since the
 * extraction.
 */
export async function acceptCandidate(
  tx: Tx,
  author: Author,
  decision: Decision,
  { conceptId, name, config }: { conceptId: string | undefined; name: string | undefined; config: Config },
): Promise<ConceptCandidateRow> {
  const row = await lockCandidateIn("pending", tx, author.workspaceId, decision);
  if (!isCurrent(row, await findDocument(tx, author.workspaceId, row.source_document_id)))
    throw apiError("candidate_stale", { source_version: row.source_version, hint: "Extract again, then decide." });
  const label = name?.trim() ?? row.name;
  if (!conceptId) await checkRowQuota(tx, config, "concepts", author.workspaceId, row.knowledge_base_id);
  const concept = conceptId
    ? await addName(tx, author.workspaceId, conceptId, label)
    : await createConcept(tx, author, row.knowledge_base_id, { name: label });
  const evidence = {
    documentId: row.source_document_id,
    blockId: row.source_block_id,
    sourceVersion: row.source_version,
  };
  await putSource(tx, author, concept, evidence, config);
  return updateCandidate(tx, row, { status: "accepted", concept_id: concept.id, decided_by: author.userId });
}

async function addName(tx: Tx, workspaceId: string, conceptId: string, alias: string): Promise<ConceptRow> {
  const row = await lockConcept(tx, workspaceId, conceptId);
  checkLive(row);
  const aliases = readAliases([row.name, ...readJson(row.aliases), alias]).slice(1);
  return updateConcept(tx, row, {
    aliases: JSON.stringify(aliases),
    names_key: namesKey(row.name, aliases, JSON.parse(row.labels)),
  });
}

export async function rejectCandidate(tx: Tx, author: Author, decision: Decision): Promise<ConceptCandidateRow> {
  const row = await lockCandidateIn("pending", tx, author.workspaceId, decision);
  return updateCandidate(tx, row, { status: "rejected", decided_by: author.userId });
}

/** Reverts a rejection: the candidate is open again. */
export async function reopenCandidate(tx: Tx, workspaceId: string, decision: Decision): Promise<ConceptCandidateRow> {
  const row = await lockCandidateIn("rejected", tx, workspaceId, decision);
  return updateCandidate(tx, row, { status: "pending", decided_by: null });
}
