import type { Tx } from "../../../db/database.ts";
import type { ConceptRow } from "../../../db/schema/tables/concepts.ts";
import type { BaseRole } from "../../../db/schema/tables/rights.ts";
import { apiError } from "../../../errors.ts";
import { type Expected, requireExpected } from "../../../http/preconditions.ts";
import { requireAtLeast } from "../../../rights/rights.ts";
import { type Author, historyOf, lockExpected } from "./change-concept.ts";
import type { BeforeMerge } from "./merge-concepts.ts";
import {
  conceptVersion,
  getConcept,
  insertHistory,
  listConceptsById,
  listHistory,
  lockConcept,
  lockGraph,
  redirectSome,
  updateConcept,
} from "./queries.ts";
import { deleteRelations, insertRelation, listRelations } from "./relation-queries.ts";
import { deleteSources, upsertSources } from "./source-queries.ts";

/**
 * Undoes a concept's last change, if it was a merge: both concepts get back their names, evidence and relations.
 * Refuses after any later change of the survivor, which would be lost.
 */
export async function unmergeConcepts(
  tx: Tx,
  author: Author,
  id: string,
  expected: Expected | undefined,
  roleIn: (knowledgeBaseId: number) => BaseRole,
): Promise<ConceptRow> {
  const { workspaceId, userId } = author;
  await getConcept(tx, workspaceId, id);
  requireExpected(expected);
  await lockGraph(tx, workspaceId);
  const survivor = await lockExpected(tx, workspaceId, id, expected);
  const { sourceId, before } = await findMerge(tx, survivor);
  const source = await lockConcept(tx, workspaceId, sourceId);
  const role = roleIn(source.knowledge_base_id);
  if (role === "none") throw noMerge(survivor);
  requireAtLeast(role, "editor");

  await deleteSources(tx, workspaceId, survivor.id);
  await upsertSources(tx, before.sources);
  await putRelationsBack(tx, survivor, source, before);
  await redirectSome(tx, workspaceId, before.redirected, source.id);
  await updateConcept(tx, source, { merged_into: null });
  await insertHistory(tx, { ...historyOf(source, userId, "unmerged"), details: { survivor_id: survivor.id } });
  await insertHistory(tx, { ...historyOf(survivor, userId, "unmerged"), details: { source_concept_id: source.id } });
  return updateConcept(tx, survivor, before.survivor);
}

/** Applies even if the other concept is hidden: both change, so write access to both knowledge bases is needed. */
const noMerge = (survivor: ConceptRow) =>
  apiError("version_conflict", {
    current_version: conceptVersion(survivor),
    hint: "Only the last change of a concept can be taken back, and only if it was a merge.",
  });

async function findMerge(tx: Tx, survivor: ConceptRow): Promise<{ sourceId: string; before: BeforeMerge }> {
  const [last] = await listHistory(tx, survivor.workspace_id, [survivor.id], Number.MAX_SAFE_INTEGER, 1);
  const details = last?.action === "merged" ? JSON.parse(last.details) : {};
  const before = details.undo as BeforeMerge | undefined;
  if (before?.revision !== survivor.revision) throw noMerge(survivor);
  return { sourceId: details.source_concept_id, before };
}

/** Skips relations to concepts that were deleted or merged since. */
async function putRelationsBack(
  tx: Tx,
  survivor: ConceptRow,
  source: ConceptRow,
  { relations }: BeforeMerge,
): Promise<void> {
  const { workspace_id } = survivor;
  const now = await listRelations(tx, workspace_id, [survivor.id]);
  if (now.length > 0)
    await deleteRelations(
      tx,
      workspace_id,
      now.map((relation) => relation.id),
    );
  const both = new Set([survivor.id, source.id]);
  const ends = relations.flatMap((one) => [one.source_concept_id, one.target_concept_id]);
  const others = (await listConceptsById(tx, workspace_id, [...new Set(ends)])).filter(
    ({ id, merged_into }) => !both.has(id) && merged_into === null,
  );
  const there = new Set([...both, ...others.map(({ id }) => id)]);
  for (const relation of relations)
    if (there.has(relation.source_concept_id) && there.has(relation.target_concept_id))
      await insertRelation(tx, relation);
  for (const { id } of others) await updateConcept(tx, { workspace_id, id });
}
