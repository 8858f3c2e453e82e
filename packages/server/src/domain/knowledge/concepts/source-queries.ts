import type { Reader, Tx } from "../../../db/database.ts";
import type { ConceptSourceRow } from "../../../db/schema/tables/concepts.ts";
import { batchesOf } from "../../../db/statement/batches.ts";

const sourcesOf = (db: Reader, workspaceId: string, conceptIds: readonly string[]) =>
  db.selectFrom("concept_sources").where("workspace_id", "=", workspaceId).where("concept_id", "in", conceptIds);

/** All evidence, oldest first. */
export const listSources = async (
  db: Reader,
  workspaceId: string,
  conceptIds: readonly string[],
): Promise<ConceptSourceRow[]> =>
  conceptIds.length === 0
    ? []
    : sourcesOf(db, workspaceId, conceptIds)
        .selectAll()
        .orderBy("created_at")
        .orderBy("source_document_id")
        .orderBy("source_block_id")
        .execute();

/** The evidence added last, oldest first. */
export const listLatestSources = async (db: Reader, workspaceId: string, conceptId: string, limit: number) =>
  (
    await sourcesOf(db, workspaceId, [conceptId])
      .selectAll()
      .orderBy("created_at", "desc")
      .orderBy("source_document_id", "desc")
      .orderBy("source_block_id", "desc")
      .limit(limit)
      .execute()
  ).reverse();

export const listSourcesAfter = (
  db: Reader,
  workspaceId: string,
  conceptId: string,
  [documentId = "", blockId = ""]: readonly (string | number)[],
  limit: number,
): Promise<ConceptSourceRow[]> =>
  sourcesOf(db, workspaceId, [conceptId])
    .selectAll()
    .where((eb) =>
      eb(eb.refTuple("source_document_id", "source_block_id"), ">", eb.tuple(String(documentId), String(blockId))),
    )
    .orderBy("source_document_id")
    .orderBy("source_block_id")
    .limit(limit)
    .execute();

/** Counts the evidence of each concept. */
export async function countSources(
  db: Reader,
  workspaceId: string,
  conceptIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (conceptIds.length === 0) return new Map();
  const rows = await sourcesOf(db, workspaceId, conceptIds)
    .select((eb) => ["concept_id", eb.fn.countAll<number>().as("count")])
    .groupBy("concept_id")
    .execute();
  return new Map(rows.map(({ concept_id, count }) => [concept_id, Number(count)]));
}

export const hasSource = async (tx: Tx, row: ConceptSourceRow): Promise<boolean> =>
  (await sourcesOf(tx, row.workspace_id, [row.concept_id])
    .select("concept_id")
    .where("source_document_id", "=", row.source_document_id)
    .where("source_block_id", "=", row.source_block_id)
    .executeTakeFirst()) !== undefined;

/** Inserts evidence; if the source exists, updates its version. */
export async function upsertSources(tx: Tx, rows: readonly ConceptSourceRow[]): Promise<void> {
  for (const some of batchesOf(rows))
    await tx
      .insertInto("concept_sources")
      .values(some)
      .onConflict((conflict) =>
        conflict.columns(["workspace_id", "concept_id", "source_document_id", "source_block_id"]).doUpdateSet((eb) => ({
          source_version: eb.ref("excluded.source_version"),
          updated_at: eb.ref("excluded.updated_at"),
        })),
      )
      .execute();
}

export const deleteSources = (tx: Tx, workspaceId: string, conceptId: string) =>
  tx
    .deleteFrom("concept_sources")
    .where("workspace_id", "=", workspaceId)
    .where("concept_id", "=", conceptId)
    .execute();
