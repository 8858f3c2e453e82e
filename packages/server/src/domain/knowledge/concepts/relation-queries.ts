import type { Reader, Tx } from "../../../db/database.ts";
import type { ConceptRelationRow } from "../../../db/schema/tables/concepts.ts";
import { batchesOf } from "../../../db/statement/batches.ts";

const relationsOf = (db: Reader, workspaceId: string, conceptIds: readonly string[]) =>
  db
    .selectFrom("concept_relations")
    .where("workspace_id", "=", workspaceId)
    .where((eb) => eb.or([eb("source_concept_id", "in", conceptIds), eb("target_concept_id", "in", conceptIds)]));

export const listRelations = async (
  db: Reader,
  workspaceId: string,
  conceptIds: readonly string[],
): Promise<ConceptRelationRow[]> =>
  conceptIds.length === 0 ? [] : relationsOf(db, workspaceId, conceptIds).selectAll().orderBy("id").execute();

export const listLatestRelations = async (db: Reader, workspaceId: string, conceptId: string, limit: number) =>
  (await relationsOf(db, workspaceId, [conceptId]).selectAll().orderBy("id", "desc").limit(limit).execute()).reverse();

export const listRelationsAfter = (db: Reader, workspaceId: string, conceptId: string, after: string, limit: number) =>
  relationsOf(db, workspaceId, [conceptId]).selectAll().where("id", ">", after).orderBy("id").limit(limit).execute();

/** Counts the relations of each concept in both directions. */
export async function countRelations(
  db: Reader,
  workspaceId: string,
  conceptIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  if (conceptIds.length === 0) return counts;
  for (const end of ["source_concept_id", "target_concept_id"] as const) {
    const rows = await db
      .selectFrom("concept_relations")
      .select((eb) => [`${end} as id`, eb.fn.countAll<number>().as("count")])
      .where("workspace_id", "=", workspaceId)
      .where(end, "in", conceptIds)
      .groupBy(end)
      .execute();
    for (const { id, count } of rows) counts.set(id, (counts.get(id) ?? 0) + Number(count));
  }
  return counts;
}

export const insertRelation = (tx: Tx, row: ConceptRelationRow) =>
  tx.insertInto("concept_relations").values(row).execute();

export async function deleteRelations(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<void> {
  for (const some of batchesOf(ids))
    await tx.deleteFrom("concept_relations").where("workspace_id", "=", workspaceId).where("id", "in", some).execute();
}

/** The direct narrower concepts of these. */
export async function listNarrower(db: Reader, workspaceId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom("concept_relations")
    .select("target_concept_id as id")
    .distinct()
    .where("workspace_id", "=", workspaceId)
    .where("predicate", "=", "broader_than")
    .where("source_concept_id", "in", ids)
    .execute();
  return rows.map((row) => row.id);
}
