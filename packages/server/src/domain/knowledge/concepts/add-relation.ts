import type { Tx } from "../../../db/database.ts";
import type { ConceptRelationRow, ConceptRow } from "../../../db/schema/tables/concepts.ts";
import { apiError } from "../../../errors.ts";
import type { Expected } from "../../../http/preconditions.ts";
import { newId } from "../../../ids.ts";
import { checkRowQuota, type RowLimits } from "../../library/quotas/row-quota.ts";
import { type Author, historyOf, lockExpected } from "./change-concept.ts";
import { checkInterval } from "./labels.ts";
import { getPredicate, type Predicate } from "./predicate.ts";
import { getConcept, insertHistory, lockConcept, lockGraph, updateConcept } from "./queries.ts";
import { insertRelation, listNarrower, listRelations } from "./relation-queries.ts";

interface NewRelation {
  readonly predicate: string;
  readonly targetId: string;
  readonly validFrom: number | null;
  readonly validTo: number | null;
}

export async function addRelation(
  tx: Tx,
  author: Author,
  id: string,
  wanted: NewRelation,
  { ifMatch, limits }: { readonly ifMatch: Expected | undefined; readonly limits: RowLimits },
): Promise<ConceptRow> {
  const { workspaceId, userId } = author;
  await getConcept(tx, workspaceId, id);
  await lockGraph(tx, workspaceId);
  const source = await lockExpected(tx, workspaceId, id, ifMatch);
  const predicate = getPredicate(wanted.predicate);
  checkInterval(wanted.validFrom, wanted.validTo);
  const target = await lockTarget(tx, workspaceId, wanted.targetId);
  if (target.id === source.id) throw apiError("concept_self_loop", { concept_id: id });
  if (predicate === "broader_than") await checkAcyclic(tx, workspaceId, source.id, target.id);
  const relation: ConceptRelationRow = {
    workspace_id: workspaceId,
    id: newId("rel"),
    predicate,
    source_concept_id: source.id,
    target_concept_id: target.id,
    valid_from: wanted.validFrom,
    valid_to: wanted.validTo,
    created_by: userId,
    created_at: Date.now(),
  };
  const known = await listRelations(tx, workspaceId, [source.id]);
  if (known.some((other) => meaningOf(other) === meaningOf(relation))) return source;
  await checkRowQuota(tx, limits, "concept_relations", workspaceId, source.id);
  await insertRelation(tx, relation);
  const details = { relation_id: relation.id, predicate, target_concept_id: target.id };
  await insertHistory(tx, { ...historyOf(source, userId, "relation_added"), details });
  await updateConcept(tx, target);
  return updateConcept(tx, source);
}

/** Locks the target; a merged id resolves to the surviving concept. */
async function lockTarget(tx: Tx, workspaceId: string, id: string): Promise<ConceptRow> {
  const row = await lockConcept(tx, workspaceId, id);
  return row.merged_into === null ? row : lockConcept(tx, workspaceId, row.merged_into);
}

/** A key that is equal for equivalent relations; `related_to` is symmetric. */
export function meaningOf(relation: ConceptRelationRow): string {
  const ends = [relation.source_concept_id, relation.target_concept_id];
  if (relation.predicate === ("related_to" satisfies Predicate)) ends.sort();
  return JSON.stringify([relation.predicate, ...ends, relation.valid_from, relation.valid_to]);
}

/** Throws if `to` is already broader than `from`, over any number of steps and at any time. */
export async function checkAcyclic(tx: Tx, workspaceId: string, from: string, to: string): Promise<void> {
  const seen = new Set([to]);
  for (let level = [to]; level.length > 0; ) {
    if (level.includes(from)) throw apiError("concept_cycle", { source_concept_id: from, target_concept_id: to });
    level = (await listNarrower(tx, workspaceId, level)).filter((id) => !seen.has(id));
    for (const id of level) seen.add(id);
  }
}
